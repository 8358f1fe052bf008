import type { TreeState } from "@docket/client"

/**
 * For those of the sessions that have an open request, in them or below: since when the oldest one waits (epoch ms).
 */
export function askingSince(
  { permissions, sessions }: Pick<TreeState, "permissions" | "sessions">,
  sessionIDs: readonly string[],
): Record<string, number> {
  const listed = new Set(sessionIDs)
  const since: Record<string, number> = {}
  for (const { status, sessionID, time } of Object.values(permissions)) {
    if (status !== "pending") continue
    for (let id: string | null = sessionID; id !== null; id = sessions[id]?.parentID ?? null) {
      if (listed.has(id)) since[id] = Math.min(since[id] ?? time.created, time.created)
    }
  }
  return since
}
