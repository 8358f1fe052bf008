import { projectGit } from "../../../ground/git/project-git.ts"
import type { Environment } from "../../../ground/git/run-git.ts"

/** What `git status` says of a work tree. */
export interface GitState {
  /** Null when no branch is checked out. */
  branch: string | null
  /** Commits that the branch and its upstream have before each other; 0 without an upstream. */
  ahead: number
  behind: number
  /** Files with changes that are not committed, untracked ones included (a new directory counts once). */
  changed: number
}

/** ms; a repository too large for that is described without its state. */
const timeout = 1_500

/** Submodules are not entered. */
const statusCommand = ["status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--ignore-submodules=all"]

/** The state of the work tree whose top is `directory`; null when git cannot tell, or not in time. Never throws. */
export async function readGitState(directory: string, env: Environment): Promise<GitState | null> {
  try {
    const output = await projectGit({ directory, env, timeout }, statusCommand)
    return parseStatus(output.toString("utf8"))
  } catch {
    return null
  }
}

/** Reads the second porcelain format: headers begin with `#`, every other line is a path. */
function parseStatus(output: string): GitState {
  const lines = output.split("\n").filter((line) => line !== "")
  const header = (name: string) => lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3)
  const [ahead = 0, behind = 0] = (header("branch.ab")?.match(/\d+/g) ?? []).map(Number)
  const branch = header("branch.head") ?? null
  return {
    branch: branch === "(detached)" ? null : branch,
    ahead,
    behind,
    changed: lines.filter((line) => !line.startsWith("#")).length,
  }
}
