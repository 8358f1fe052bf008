import type { CreateId } from "../../ground/id/create-id.ts"
import type { Grant } from "../../ground/rule/evaluate-request.ts"
import type { PermissionMemory, PermissionRequest, Session, StandingGrant } from "../../ground/schema/index.ts"
import type { PermissionGrant, PermissionStore, SessionStore, StandingGrantStore } from "../../ground/store/index.ts"

export interface GrantsDeps {
  store: Pick<PermissionStore, "grants" | "addGrants">
  standing: Pick<StandingGrantStore, "of" | "put">
  sessions: Pick<SessionStore, "get">
  createID: CreateId
  clock: () => number
}

/** A place in a tree of sessions. */
type Place = Pick<PermissionRequest, "rootID" | "sessionID">

/** What one answer allows: in its tree, or beyond it. */
export interface Given {
  tree: PermissionGrant[]
  standing: StandingGrant | null
}

const nothing: Given = { tree: [], standing: null }

/** What people allowed for good. */
export interface Grants {
  /**
   * What counts in a session: of what is stored and of `given`, which may not be stored yet.
   * @param line the session and all above it, the nearest first
   */
  of(place: Place, line: readonly Session[], given?: Given): Promise<Grant[]>
  /** What the answer "always" to a request allows. */
  from(request: PermissionRequest): Promise<Given>
  add(given: Given): Promise<void>
}

export function createGrants({ store, standing, sessions, createID, clock }: GrantsDeps): Grants {
  const ofTree = async ({ rootID }: Place, line: readonly Session[], given: PermissionGrant[]): Promise<Grant[]> => {
    const all = [...(await store.grants(rootID)), ...given.filter((grant) => grant.rootID === rootID)]
    return all.filter(({ sessionID }) => sessionID === undefined || line.some(({ id }) => id === sessionID))
  }
  return {
    async of(place, line, given = nothing) {
      const projectID = line[0]?.projectID
      const beyond = projectID === undefined ? [] : await standing.of(projectID)
      const fresh = given.standing
      if (fresh !== null && (fresh.projectID === null || fresh.projectID === projectID)) beyond.push(fresh)
      return [...(await ofTree(place, line, given.tree)), ...beyond.flatMap(standingRules)]
    },
    async from(request) {
      const [root, session] = [await sessions.get(request.rootID), await sessions.get(request.sessionID)]
      const agent = session?.agent ?? root?.agent ?? ""
      const stamp = { createID, createdAt: clock(), agent }
      if (memoryOf(request).beyond === undefined || root === null)
        return { ...nothing, tree: treeGrants(stamp, request) }
      return { ...nothing, standing: standingGrant(stamp, request, root) }
    },
    async add({ tree, standing: beyond }) {
      if (tree.length > 0) await store.addGrants(tree)
      if (beyond !== null) await standing.put(beyond)
    },
  }
}

interface GrantStamp {
  createID: CreateId
  createdAt: number
  /** Who asked. */
  agent: string
}

function treeGrants({ createID, ...stamp }: GrantStamp, request: PermissionRequest): PermissionGrant[] {
  const { id: requestID, rootID, permission, by } = request
  const { patterns, sessionID } = memoryOf(request)
  const said = { rootID, permission, requestID, ...stamp, ...(sessionID !== null && { sessionID }), ...(by && { by }) }
  return patterns.map((pattern) => ({ id: createID("grant"), ...said, pattern }))
}

function standingGrant(
  { createID, createdAt, agent }: GrantStamp,
  request: PermissionRequest,
  root: Session,
): StandingGrant {
  const { rootID, sessionID, permission, by } = request
  const { patterns, beyond } = memoryOf(request)
  return {
    id: createID("grant"),
    projectID: beyond === "everywhere" ? null : root.projectID,
    permission,
    patterns,
    origin: { requestID: request.id, rootID, sessionID, title: root.title, agent },
    ...(by && { by }),
    time: { created: createdAt },
  }
}

function standingRules({ projectID, permission, patterns }: StandingGrant): Grant[] {
  const from = projectID === null ? "everywhere" : "project"
  return patterns.map((pattern) => ({ permission, pattern, from }))
}

/** Rows of before did not say what was remembered: what was offered, in the whole tree. */
function memoryOf({ remembered, always }: PermissionRequest): PermissionMemory {
  return remembered ?? { patterns: always, sessionID: null }
}
