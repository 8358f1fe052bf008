import { lazily } from "../../../ground/concurrency/lazily.ts"
import type { ModelRef } from "../../../ground/schema/index.ts"
import type { GitState } from "./git-state.ts"

export interface Environment {
  model: ModelRef
  directory: string
  worktree: string
  /** The directory lies in a git repository. */
  git: boolean
  /** What git says of it; null when it cannot tell in time. */
  gitState: GitState | null
  /** A git worktree of a task's own: the project has nothing of it before it is merged. */
  apart: boolean
  /** What runs commands. */
  shell: string
  /** As `process.platform` says it. */
  platform: string
  date: Date
}

// The first of its kind in a process takes 8 ms, which no start is to wait for.
const dayFormat = lazily(
  () => new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
)

/**
 * Facts about where the agent works. They are rounded (the day, about how many files) so that they seldom change from
 * turn to turn: all of the conversation that comes after them is cached by providers only as long as they do not.
 */
export function environmentBlock(environment: Environment): string {
  const { model, directory, worktree, git, gitState, apart, shell, platform, date } = environment
  return [
    `You are powered by the model ${model.modelID}. Its exact name is ${model.providerID}/${model.modelID}.`,
    "<env>",
    `  Working directory: ${directory}`,
    ...(worktree === directory ? [] : [`  Project root: ${worktree}`]),
    ...(apart
      ? ["  This is a git worktree of your task's own; your changes reach the project when the task has ended."]
      : []),
    `  Is the directory in a git repository: ${git ? "yes" : "no"}`,
    ...(gitState === null ? [] : gitLines(gitState)),
    `  Shell: ${shell}`,
    `  Platform: ${platform}`,
    `  Today's date: ${dayFormat().format(date)}`,
    "</env>",
  ].join("\n")
}

function gitLines({ branch, ahead, behind, changed }: GitState): string[] {
  const apartFrom = [ahead > 0 && `${ahead} ahead`, behind > 0 && `${behind} behind`].filter((part) => part !== false)
  const distance = apartFrom.length === 0 ? "" : ` (${apartFrom.join(" and ")} of its upstream)`
  return [
    `  Branch: ${branch ?? "none, a commit is checked out"}${distance}`,
    `  Uncommitted changes when this turn began: ${changed === 0 ? "none" : `${about(changed)} files`}`,
  ]
}

/** Upper ends of what is told apart; see environmentBlock. */
const steps = [5, 20, 100]

function about(count: number): string {
  const step = steps.find((end) => count < end)
  return step === undefined ? `${steps.at(-1)} or more` : `fewer than ${step}`
}
