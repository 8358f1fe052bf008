import type { Task, TaskState } from "@docket/core/schema"
import { hasEnded } from "../../task/task-state.ts"

/** The brief and result of a task, and the text for a missing result. */
export function briefOf(
  { prompt, result, error }: Pick<Task, "prompt" | "result" | "error">,
  state: TaskState,
): { prompt: string; result: string | null; pending: string } {
  const pending = hasEnded(state) ? "Stopped before it returned." : "Not yet."
  return { prompt, result: result ?? error?.message ?? null, pending }
}
