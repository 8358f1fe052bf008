import { readTask } from "../../tools/read-task.ts"
import type { Waiting } from "../../tree/find-waiting.ts"
import { isTask, type Row } from "./row.ts"

/** Whether the row's call, or the child session that it runs, waits for a user. */
export function isWaiting(row: Row, waiting: Waiting): boolean {
  if (row.kind !== "part" || row.part.type !== "tool") return false
  if (waiting.calls.has(row.part.callID)) return true
  if (waiting.sessions.size === 0 || !isTask(row.part)) return false
  const child = readTask(row.part).sessionID
  return child !== null && waiting.sessions.has(child)
}
