import type { Task } from "../schema/index.ts"

export function isEnded(task: Pick<Task, "state">): boolean {
  return task.state !== "queued" && task.state !== "running"
}

/** Whether a task has ended in the background and nobody has told its parent, nor has the parent asked. */
export function isUntold(task: Pick<Task, "mode" | "state" | "delivered">): boolean {
  return task.mode === "background" && task.delivered === "no" && isEnded(task)
}
