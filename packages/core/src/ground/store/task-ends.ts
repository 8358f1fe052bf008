import { TaskDeliveredError } from "../error/docket-error.ts"
import type { Task } from "../schema/index.ts"

export function isEnded(task: Pick<Task, "state">): boolean {
  return task.state !== "queued" && task.state !== "running" && task.state !== "awaiting_review"
}

/**
 * Whether a task in this state may change the lists of what waits for a review: it ended, is held, or works again after
 * that.
 */
export function isReviewNews({ state, time }: Pick<Task, "state" | "time">): boolean {
  return isEnded({ state }) || state === "awaiting_review" || (state === "queued" && time.started !== null)
}

/** Whether a task has ended in the background and nobody has told its parent, nor has the parent asked. */
export function isUndelivered(task: Pick<Task, "mode" | "state" | "delivered">): boolean {
  return task.mode === "background" && task.delivered === "no" && isEnded(task)
}

/**
 * The task after its end was reported to the parent.
 * @throws TaskDeliveredError when the parent knows already, or there is no such task
 */
export function deliveredTask(id: string, task: Task | undefined): Task {
  if (task === undefined || !isUndelivered(task)) throw new TaskDeliveredError(id)
  return { ...task, delivered: "turn" }
}
