import type { ModelRef } from "../../schema/index.ts"

export interface Environment {
  model: ModelRef
  directory: string
  worktree: string
  git: boolean
  /** As `process.platform` says it. */
  platform: string
  date: Date
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" })

/** Facts about where the agent works. Holds the day, not the time, so that a day's calls share a cache. */
export function environmentBlock({ model, directory, worktree, git, platform, date }: Environment): string {
  const day = dayFormat.format(date)
  return [
    `You are powered by the model ${model.modelID}. Its exact name is ${model.providerID}/${model.modelID}.`,
    "<env>",
    `  Working directory: ${directory}`,
    ...(worktree === directory ? [] : [`  Project root: ${worktree}`]),
    `  Is the directory in a git repository: ${git ? "yes" : "no"}`,
    `  Platform: ${platform}`,
    `  Today's date: ${day}`,
    "</env>",
  ].join("\n")
}
