import type { TaskSummary, ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"

/** The tasks that calls created, by part. Old calls have no task records. */
export function tasksOfParts(
  tasks: Readonly<Record<string, TaskSummary>>,
  parts: readonly ToolPart[],
): Record<string, TaskSummary> {
  const byPart = new Map(Object.values(tasks).map((task) => [task.partID, task]))
  return Object.fromEntries(
    parts.flatMap((part) => {
      const call = readToolCall(part)
      const named = call.tool === "async_task" && call.metadata !== null ? tasks[call.metadata.taskId] : undefined
      const task = named ?? byPart.get(part.id)
      return task === undefined ? [] : [[part.id, task]]
    }),
  )
}
