import type { CreateId } from "../id/create-id.ts"
import type { PermissionMemory, PermissionRequest } from "../schema/index.ts"
import type { PermissionGrant, PermissionStore, SessionStore } from "../store/index.ts"

export interface GrantsDeps {
  store: Pick<PermissionStore, "grants" | "addGrants">
  sessions: Pick<SessionStore, "get">
  createID: CreateId
  clock: () => number
}

/** A place in a tree of sessions. */
type Place = Pick<PermissionRequest, "rootID" | "sessionID">

/** What people allowed for good. */
export interface Grants {
  /** What counts in a session: of the stored grants of its tree and of `given`, which may not be stored yet. */
  of(place: Place, given?: readonly PermissionGrant[]): Promise<PermissionGrant[]>
  /** What the answer "always" to a request allows. */
  from(request: PermissionRequest): PermissionGrant[]
  add(grants: PermissionGrant[]): Promise<void>
}

export function createGrants({ store, sessions, createID, clock }: GrantsDeps): Grants {
  return {
    async of({ rootID, sessionID }, given = []) {
      const all = [...(await store.grants(rootID)), ...given]
      if (all.every((grant) => grant.sessionID === undefined)) return all
      const line = await lineOf(sessions, sessionID)
      return all.filter((grant) => grant.sessionID === undefined || line.has(grant.sessionID))
    },
    from(request) {
      const { patterns, sessionID } = memoryOf(request)
      const { rootID, permission } = request
      return patterns.map((pattern) => ({
        id: createID("grant"),
        rootID,
        ...(sessionID !== null && { sessionID }),
        permission,
        pattern,
        createdAt: clock(),
      }))
    },
    add: (grants) => store.addGrants(grants),
  }
}

/** Rows of before did not say what was remembered: what was offered, in the whole tree. */
function memoryOf({ remembered, always }: PermissionRequest): PermissionMemory {
  return remembered ?? { patterns: always, sessionID: null }
}

/** A session and all above it. */
async function lineOf(sessions: Pick<SessionStore, "get">, sessionID: string): Promise<Set<string>> {
  const line = new Set<string>()
  let next: string | null = sessionID
  while (next !== null) {
    line.add(next)
    next = (await sessions.get(next))?.parentID ?? null
  }
  return line
}
