import { type ConfigEntry, namedGuards } from "./guards.ts"
import { type Environment, GitError, runGit } from "./run-git.ts"

export interface GitPlace {
  /** The top directory of a worktree, or a git directory; absolute. */
  directory: string
  env: Environment
  /** ms */
  timeout?: number
  /** Environment variables for the command itself, not for the look at the config before it. */
  variables?: Record<string, string>
  /** Exit codes besides 0 that are an answer and no failure. */
  answers?: readonly number[]
}

/** Shows that git reads the config of its environment, which it does since 2.31. */
const mark: ConfigEntry = ["docket.guarded", "true"]

/**
 * Runs git in a repository that may be a stranger's: none of the programs that its config, its attributes or its hooks
 * name is started, and its config cannot make another directory the worktree. Filters are off, so what Git LFS keeps
 * elsewhere stays a pointer.
 * @throws GitError
 */
export async function projectGit(
  { directory, env, timeout, variables, answers }: GitPlace,
  args: string[],
): Promise<Buffer> {
  // A worktree that the config names (`core.worktree`) could be your home directory.
  const place = { cwd: directory, env, timeout, variables: { GIT_WORK_TREE: directory } }
  const listed = await runGit(["config", "--list", "--name-only", "-z"], { ...place, guards: [mark] })
  const keys = listed.toString("utf8").split("\0")
  if (!keys.includes(mark[0])) throw new GitError("git is too old. Install 2.31 or newer.")
  return runGit(args, { ...place, answers, guards: namedGuards(keys), variables: { ...place.variables, ...variables } })
}
