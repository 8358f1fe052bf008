import type { ToolPart } from "@docket/core/schema"
import { readFileChanges } from "@docket/core/tool-metadata"

/** The change of one file by a call. */
export interface FileChange {
  path: string
  /** Unified diff; null when it was too large to store. */
  patch: string | null
  additions: number
  deletions: number
  created: boolean
  /** Where the file was before, if it was moved. */
  movedFrom: string | null
}

/** The change of a call that changed one file; null for other calls, and while nothing has changed yet. */
export function readFileChange(part: ToolPart): FileChange | null {
  const [change, ...more] = readChanges(part)
  return change === undefined || more.length > 0 ? null : change
}

/**
 * What a call changed, file by file, after it is done. The old place of a file that was moved is left out.
 */
export function readChanges(part: ToolPart): FileChange[] {
  const changes = readFileChanges(part) ?? []
  const moved = new Set(changes.map(({ movedFrom }) => movedFrom))
  return changes
    .filter(({ file, removed }) => !removed || !moved.has(file))
    .map(({ file, diff, additions, deletions, created, movedFrom }) => ({
      path: file,
      patch: diff === "" ? null : diff,
      additions,
      deletions,
      created,
      movedFrom: movedFrom ?? null,
    }))
}
