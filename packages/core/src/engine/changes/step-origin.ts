import { momentOf } from "../../ground/id/moment-of.ts"
import type { MessageWithParts, TaskSummary } from "../../ground/schema/index.ts"

/** Where a step belongs: the task that it was made in, and the root's prompt from which all of it came. */
export interface StepOrigin {
  promptID: string | null
  taskID: string | null
}

/** Tells of each message where it belongs. */
export function originsOf(
  messages: readonly MessageWithParts[],
  tasks: readonly TaskSummary[],
): (message: MessageWithParts["info"]) => StepOrigin {
  const prompts = new Map(messages.flatMap(({ info }) => (info.role === "assistant" ? [[info.id, info.parentID]] : [])))
  const bySession = Map.groupBy(tasks, (task) => task.sessionID)
  /** The newest task of a child that was there at the time: a child that is resumed gets another one. */
  const taskAt = (sessionID: string, moment: string) =>
    bySession.get(sessionID)?.findLast((task) => momentOf(task.id) <= moment) ?? bySession.get(sessionID)?.[0] ?? null
  const promptOf = (task: TaskSummary, depth: number): string | null => {
    if (task.parentID === task.rootID) return prompts.get(task.messageID ?? "") ?? null
    const above = taskAt(task.parentID, momentOf(task.id))
    // Rows of a broken tree must not lead in circles.
    return above === null || depth > tasks.length ? null : promptOf(above, depth + 1)
  }
  return ({ id, sessionID }) => {
    const task = taskAt(sessionID, momentOf(id))
    if (task === null) return { promptID: prompts.get(id) ?? null, taskID: null }
    return { promptID: promptOf(task, 0), taskID: task.id }
  }
}
