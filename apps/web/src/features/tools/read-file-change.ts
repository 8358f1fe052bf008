import type { ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"

/** What an edit or write did to one file. */
export interface FileChange {
  path: string
  /** Unified diff; null when it was too large to keep. */
  patch: string | null
  additions: number
  deletions: number
  created: boolean
}

/** The file change of an `edit` or `write` part; null for other tools and calls that have changed nothing yet. */
export function readFileChange(part: ToolPart): FileChange | null {
  // Asked for each row of a transcript, most of which are calls of other tools: those are not parsed.
  if (part.tool !== "edit" && part.tool !== "write") return null
  const call = readToolCall(part)
  if ((call.tool !== "edit" && call.tool !== "write") || call.metadata === null) return null
  const { file, diff, additions, deletions, created } = call.metadata
  return { path: file, patch: diff === "" ? null : diff, additions, deletions, created }
}
