import type { TaskState } from "@docket/core/schema"

/** A state in words, where a mark alone says too little: what ran out of time has failed, what broke off has stopped. */
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

/** Nothing will happen in it any more. */
export function hasEnded(state: TaskState): boolean {
  return state !== "queued" && state !== "running" && state !== "awaiting_review"
}
