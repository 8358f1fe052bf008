import { lstat } from "node:fs/promises"
import { dirname, join } from "node:path"

/** Whether every directory above a path is a real one or missing: a link could lead out of the project. */
export async function hasPlainParents(worktree: string, path: string): Promise<boolean> {
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const facts = await lstat(join(worktree, parent)).catch(() => null)
    if (facts !== null && !facts.isDirectory()) return false
  }
  return true
}
