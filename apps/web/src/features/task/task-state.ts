import type { TaskState } from "@docket/core/schema"

/** Labels of task states. They say more than the glyph: a timed out task has failed, an interrupted one has stopped. */
export const taskStateLabel: Record<TaskState, string> = {
  queued: "Queued",
  running: "Running",
  awaiting_review: "Waits for review",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  interrupted: "Interrupted",
}

/** Whether the task cannot change any more. */
export function hasEnded(state: TaskState): boolean {
  return state !== "queued" && state !== "running" && state !== "awaiting_review"
}
