import type { ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"

/** The change of one file by edit or write. */
export interface FileChange {
  path: string
  /** Unified diff; null when it was too large to store. */
  patch: string | null
  additions: number
  deletions: number
  created: boolean
}

/** The file change of an `edit` or `write` part; null for other tools, and while nothing has changed yet. */
export function readFileChange(part: ToolPart): FileChange | null {
  // Called for every row of a transcript. Most rows are calls of other tools, which need no parsing.
  if (part.tool !== "edit" && part.tool !== "write") return null
  const call = readToolCall(part)
  if ((call.tool !== "edit" && call.tool !== "write") || call.metadata === null) return null
  const { file, diff, additions, deletions, created } = call.metadata
  return { path: file, patch: diff === "" ? null : diff, additions, deletions, created }
}
