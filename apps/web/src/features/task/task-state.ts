import type { TaskState } from "@docket/core/schema"
import type { Status } from "../../ui/status.ts"

export const taskStateLabel: Record<TaskState, string> = {
  queued: "Queued",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  interrupted: "Interrupted",
}

/** The status colour of a task's state. */
export const taskStatus: Record<TaskState, Status> = {
  queued: "pending",
  running: "running",
  completed: "done",
  failed: "failed",
  cancelled: "stopped",
  timed_out: "failed",
  interrupted: "stopped",
}

/** Nothing will happen in it any more. */
export function hasEnded(state: TaskState): boolean {
  return state !== "queued" && state !== "running"
}
