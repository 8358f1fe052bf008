import { lstat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { projectGit } from "./project-git.ts"
import type { Environment } from "./run-git.ts"

/** Longest time (ms) for one directory: it is judged while a project is being opened. */
const timeout = 10_000

/**
 * The top directory of the git worktree that a resolved directory lies in, or null: the nearest one that holds a
 * `.git` which git accepts. What the repository's config names as its worktree does not count.
 */
export async function findTopLevel(directory: string, env: Environment): Promise<string | null> {
  if (await isTopLevel(directory, env)) return directory
  const parent = dirname(directory)
  return parent === directory ? null : findTopLevel(parent, env)
}

async function isTopLevel(directory: string, env: Environment): Promise<boolean> {
  if ((await lstat(join(directory, ".git")).catch(() => null)) === null) return false
  return projectGit({ directory, env, timeout }, ["rev-parse", "--git-dir"]).then(
    () => true,
    () => false,
  )
}
