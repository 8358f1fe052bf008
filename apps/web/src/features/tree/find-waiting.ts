import type { PermissionRequest, Session } from "@docket/core/schema"

/** Where the user's answer is needed: calls with an open request, and sessions that contain one, also below. */
export interface Waiting {
  calls: ReadonlySet<string>
  sessions: ReadonlySet<string>
}

/** Finds the calls and sessions with open requests in a tree. */
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
