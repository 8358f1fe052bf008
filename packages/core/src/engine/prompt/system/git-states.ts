import { stat } from "node:fs/promises"
import { join } from "node:path"
import { projectGit } from "../../../ground/git/project-git.ts"
import type { Environment } from "../../../ground/git/run-git.ts"

/** How long a reading may serve (ms): what people and other programs change in the files shows after this time. */
const keptMs = 2_000

/** Files of a git directory of which one changes with each commit, checkout, reset, stage and fetch. */
const watched = ["HEAD", "index", "logs/HEAD", "FETCH_HEAD"]

/**
 * The states of work trees as turns are told of them. A reading costs two starts of git, so turns that begin at the
 * same time share one, and the next ones take it as long as it is young, git's own files stand as they were and no tool
 * of Docket changed anything.
 */
export interface GitStates {
  /** The state of the work tree whose top is `directory`; null when git cannot tell. Never throws. */
  of(directory: string): Promise<GitState | null>
  /** Something is about to change, or has changed, the files of this work tree. */
  changed(directory: string): void
}

interface Reading {
  state: Promise<GitState | null>
  /** What the git directory looked like before. */
  version: string
  /** ms of the monotonic clock */
  begun: number
}

export function createGitStates(deps: { env: Environment; now: () => number }): GitStates {
  const readings = new Map<string, Reading>()
  return {
    async of(directory) {
      const version = await gitVersion(directory)
      for (const [other, { begun }] of readings) if (deps.now() - begun >= keptMs) readings.delete(other)
      const known = readings.get(directory)
      if (known?.version === version) return known.state
      const reading = { state: readGitState(directory, deps.env), version, begun: deps.now() }
      readings.set(directory, reading)
      return reading.state
    },
    changed: (directory) => void readings.delete(directory),
  }
}

/** Sizes and times of git's own files. A git directory elsewhere (of a worktree, of a submodule) has but one version. */
async function gitVersion(directory: string): Promise<string> {
  const facts = await Promise.all(
    watched.map((name) =>
      stat(join(directory, ".git", name)).then(
        ({ size, mtimeMs, ino }) => `${size} ${mtimeMs} ${ino}`,
        () => "none",
      ),
    ),
  )
  return facts.join()
}

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
