import type { PermissionRequest, Session } from "@docket/core/schema"

/** Where people are waited for: calls with an open request, and sessions with one in them or below them. */
export interface Waiting {
  calls: ReadonlySet<string>
  sessions: ReadonlySet<string>
}

/** Reads the open requests of a tree. */
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
