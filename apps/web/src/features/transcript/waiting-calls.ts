import type { PermissionRequest, Session } from "@docket/core/schema"
import type { Row } from "./rows/row.ts"
import { isTask } from "./rows/row.ts"
import { readTask } from "./tools/read-task.ts"

/** Where people are waited for: calls with an open request, and sessions with one in them or below them. */
export interface Waiting {
  calls: ReadonlySet<string>
  sessions: ReadonlySet<string>
}

export function findWaiting(
  permissions: Readonly<Record<string, PermissionRequest>>,
  sessions: Readonly<Record<string, Session>>,
): Waiting {
  const calls = new Set<string>()
  const waiting = new Set<string>()
  for (const request of Object.values(permissions)) {
    if (request.status !== "pending") continue
    if (request.callID !== null) calls.add(request.callID)
    for (
      let id: string | null = request.sessionID;
      id !== null && !waiting.has(id);
      id = sessions[id]?.parentID ?? null
    ) {
      waiting.add(id)
    }
  }
  return { calls, sessions: waiting }
}

/** Does the row's call, or the child that it runs, wait for a person? */
export function isWaiting(row: Row, waiting: Waiting): boolean {
  if (row.kind !== "part" || row.part.type !== "tool") return false
  if (waiting.calls.has(row.part.callID)) return true
  if (waiting.sessions.size === 0 || !isTask(row.part)) return false
  const child = readTask(row.part).sessionID
  return child !== null && waiting.sessions.has(child)
}
