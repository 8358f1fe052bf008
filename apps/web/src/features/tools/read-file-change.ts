import type { ToolPart } from "@docket/core/schema"
import { diffFigures, parseUnifiedDiff } from "./parse-unified-diff.ts"
import { asRecord, readNumber, readString } from "./read-record.ts"

/** What an edit or write did to one file. */
export interface FileChange {
  path: string
  /** Unified diff; null while the tool has not reported one. */
  patch: string | null
  additions: number
  deletions: number
}

/** The file change of an `edit` or `write` part, or null for other tools and calls without a path yet. */
export function readFileChange(part: ToolPart): FileChange | null {
  if (part.tool !== "edit" && part.tool !== "write") return null
  const metadata = part.state.status === "pending" ? {} : part.state.metadata
  const input = asRecord(part.state.input)
  const path = readString(metadata, "file", "path") ?? readString(input, "filePath", "path")
  if (path === null) return null
  const patch = readString(metadata, "diff")
  const counted = patch === null ? { additions: 0, deletions: 0 } : diffFigures(parseUnifiedDiff(patch))
  return {
    path,
    patch,
    additions: readNumber(metadata, "additions") ?? counted.additions,
    deletions: readNumber(metadata, "deletions") ?? counted.deletions,
  }
}
