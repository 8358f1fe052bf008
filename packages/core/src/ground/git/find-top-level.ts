import { lstat, realpath } from "node:fs/promises"
import { dirname, join, resolve, sep } from "node:path"
import { isWithin } from "../file/is-within.ts"
import { readBoundedFile } from "../file/read-bounded-file.ts"
import { type GitPlace, projectGit } from "./project-git.ts"
import type { Environment } from "./run-git.ts"

/** Longest time (ms) for one directory: it is judged while a project is being opened. */
const timeout = 10_000

/**
 * The top directory of the git worktree that a resolved directory lies in, or null: the nearest one that holds a
 * `.git` which git accepts and which is its own. What the repository's config names as its worktree does not count.
 */
export async function findTopLevel(directory: string, env: Environment): Promise<string | null> {
  if (await isTopLevel(directory, env)) return directory
  const parent = dirname(directory)
  return parent === directory ? null : findTopLevel(parent, env)
}

async function isTopLevel(directory: string, env: Environment): Promise<boolean> {
  if ((await lstat(join(directory, ".git")).catch(() => null)) === null) return false
  return ownsRepository({ directory, env, timeout }).catch(() => false)
}

/**
 * Whether the git directory is of this worktree: a `.git` that only leads to that of another would show an agent the
 * files of a repository that nobody opened.
 */
async function ownsRepository(place: GitPlace): Promise<boolean> {
  const { directory } = place
  const args = ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"]
  const [gitDirectory, common] = await Promise.all((await lines(place, args)).map((path) => realpath(path)))
  if (gitDirectory === undefined || common === undefined) return false
  if (isWithin(directory, gitDirectory)) return isWithin(directory, common)
  if (gitDirectory !== common) return isWithin(common, gitDirectory) && (await leadsBack(gitDirectory, directory))
  // The config of a submodule names its worktree.
  const [worktree] = await lines(place, ["config", "core.worktree"]).catch(() => [])
  if (worktree !== undefined) return (await realpath(resolve(gitDirectory, worktree))) === directory
  // One that was put elsewhere on purpose (`git init --separate-git-dir`) names no worktree: it counts unless it is
  // bare, or is the `.git` of another directory, or lies in one.
  const [bare] = await lines(place, ["config", "--type=bool", "core.bare"]).catch(() => [])
  return bare !== "true" && !gitDirectory.split(sep).includes(".git")
}

/** Whether the git directory of a linked worktree names this worktree. Source: gitrepository-layout(5). */
async function leadsBack(gitDirectory: string, directory: string): Promise<boolean> {
  const named = (await readBoundedFile(join(gitDirectory, "gitdir"), 8_192)).toString("utf8").trimEnd()
  return (await realpath(dirname(resolve(gitDirectory, named)))) === directory
}

async function lines(place: GitPlace, args: string[]): Promise<string[]> {
  return (await projectGit(place, args)).toString("utf8").split("\n").filter(Boolean)
}
