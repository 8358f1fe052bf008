import { lstat } from "node:fs/promises"
import { join } from "node:path"
import type { FileChange } from "./tree-changes.ts"

/** How far the clock of files may be behind (ms). */
const slackMs = 1_000

/**
 * Of changes seen since `since` (epoch ms), the new files that are older than that: they were there before and only
 * became visible, because they are not ignored any more. A file that was moved here is none of them.
 */
export async function olderFiles(worktree: string, changes: FileChange[], since: number): Promise<Set<string>> {
  const known = new Set(changes.flatMap(({ from }) => (from === null ? [] : [from.hash])))
  const older = new Set<string>()
  for (const { path, from, to } of changes) {
    if (from !== null || to === null || known.has(to.hash)) continue
    const facts = await lstat(join(worktree, path)).catch(() => null)
    if (facts !== null && facts.birthtimeMs < since - slackMs) older.add(path)
  }
  return older
}
