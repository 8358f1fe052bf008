import type { TreeState } from "@docket/client"
import type { TaskSummary } from "@docket/core/schema"
import { isUndone } from "./is-undone.ts"

/** The tasks of a tree, except those whose session was undone. */
export function visibleTasks({ tasks, sessions }: Pick<TreeState, "tasks" | "sessions">): TaskSummary[] {
  return Object.values(tasks).filter((task) => !isUndone(sessions[task.sessionID]))
}
