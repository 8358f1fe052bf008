import { stat } from "node:fs/promises"
import { join } from "node:path"
import type { Environment } from "../../../ground/git/run-git.ts"
import { type GitState, readGitState } from "./git-state.ts"

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
