import type { Task, TaskSummary } from "./task.ts"

/** Characters of the result that a summary keeps. */
const summaryLength = 500

/** A task as lists and events carry it. */
export function taskSummary(task: Task): TaskSummary {
  const { prompt: _, command: __, outputSchema: ___, output: ____, ...rest } = task
  const result =
    rest.result === null || rest.result.length <= summaryLength
      ? rest.result
      : `${rest.result.slice(0, summaryLength)}…`
  return { ...rest, result }
}
