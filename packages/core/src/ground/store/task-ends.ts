import { TaskDeliveredError } from "../error/docket-error.ts"
import type { Task } from "../schema/index.ts"

export function isEnded(task: Pick<Task, "state">): boolean {
  return task.state !== "queued" && task.state !== "running" && task.state !== "awaiting_review"
}

/** Whether lists of what waits for a review may be others since the task is so: it has ended, is held, or works on after that. */
export function isReviewNews({ state, time }: Pick<Task, "state" | "time">): boolean {
  return isEnded({ state }) || state === "awaiting_review" || (state === "queued" && time.started !== null)
}

/** Whether a task has ended in the background and nobody has told its parent, nor has the parent asked. */
export function isUndelivered(task: Pick<Task, "mode" | "state" | "delivered">): boolean {
  return task.mode === "background" && task.delivered === "no" && isEnded(task)
}

/**
 * The task once its parent is told of its end.
 * @throws TaskToldError when that is no news, or there is no such task
 */
export function deliveredTask(id: string, task: Task | undefined): Task {
  if (task === undefined || !isUndelivered(task)) throw new TaskDeliveredError(id)
  return { ...task, delivered: "turn" }
}
