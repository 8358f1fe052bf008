import { stat } from "node:fs/promises"
import { join } from "node:path"
import { projectGit } from "../../../ground/git/project-git.ts"
import type { Environment } from "../../../ground/git/run-git.ts"

/** ms that a reading may be reused; changes by people and other programs show after this time at the latest. */
const keptMs = 2_000

/** Files of a git directory of which at least one changes with each commit, checkout, reset, stage and fetch. */
const watched = ["HEAD", "index", "logs/HEAD", "FETCH_HEAD"]

/**
 * Caches the git states of work trees for turns. A reading needs two starts of git, so turns that begin at the same
 * time share one. Later turns reuse it while it is recent, git's own files are unchanged and no tool of Docket has
 * changed files.
 */
export interface GitStates {
  /** The state of the work tree with the top level `directory`; null when git cannot tell. Never throws. */
  of(directory: string): Promise<GitState | null>
  /** Call it when files of this work tree are about to change or have changed. */
  changed(directory: string): void
}

interface Reading {
  state: Promise<GitState | null>
  /** The version of the git directory before the reading. */
  version: string
  /** ms of the monotonic clock */
  startedAt: number
}

export function createGitStates(deps: { env: Environment; now: () => number }): GitStates {
  const readings = new Map<string, Reading>()
  return {
    async of(directory) {
      const version = await gitVersion(directory)
      for (const [other, { startedAt }] of readings) if (deps.now() - startedAt >= keptMs) readings.delete(other)
      const known = readings.get(directory)
      if (known?.version === version) return known.state
      const reading = { state: readGitState(directory, deps.env), version, startedAt: deps.now() }
      readings.set(directory, reading)
      return reading.state
    },
    changed: (directory) => void readings.delete(directory),
  }
}

/**
 * Sizes and times of git's own files. A git directory elsewhere (of a worktree or submodule) always has the same
 * version.
 */
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

/** A summary of `git status` for a work tree. */
export interface GitState {
  /** Null when no branch is checked out. */
  branch: string | null
  /** Commits of the branch that its upstream lacks, and the reverse; 0 without an upstream. */
  ahead: number
  behind: number
  /** Number of uncommitted files, including untracked ones (a new directory counts once). */
  changed: number
}

/** ms; a repository that takes longer is described without its state. */
const timeout = 1_500

/** Submodules are ignored. */
const statusCommand = ["status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--ignore-submodules=all"]

/** The state of the work tree with the top level `directory`; null when git fails or takes too long. Never throws. */
export async function readGitState(directory: string, env: Environment): Promise<GitState | null> {
  try {
    const output = await projectGit({ directory, env, timeout }, statusCommand)
    return parseStatus(output.toString("utf8"))
  } catch {
    return null
  }
}

/** Reads porcelain format 2: headers begin with `#`, every other line is a path. */
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
