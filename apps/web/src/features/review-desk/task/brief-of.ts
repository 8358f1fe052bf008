import type { Task, TaskState } from "@docket/core/schema"
import { hasEnded } from "../../task/task-state.ts"

/** What is said of a task's brief and result, and of one that is not there. */
export function briefOf(
  { prompt, result, error }: Pick<Task, "prompt" | "result" | "error">,
  state: TaskState,
): { prompt: string; result: string | null; pending: string } {
  const pending = hasEnded(state) ? "Stopped before it returned." : "Not yet."
  return { prompt, result: result ?? error?.message ?? null, pending }
}
