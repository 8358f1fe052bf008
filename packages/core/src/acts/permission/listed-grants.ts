import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, GrantScope, Session, StandingGrant } from "../../ground/schema/index.ts"
import type { PermissionGrant, Store } from "../../ground/store/index.ts"

/** A permanent grant as shown to users. */
export interface ListedGrant {
  id: string
  scope: GrantScope
  permission: string
  patterns: string[]
  /** The project where the grant applies; null for every project. */
  project: { id: string; name: string } | null
  origin: {
    /** The session that asked, or its root; null once both were removed. */
    sessionID: string | null
    rootID: string | null
    /** The current or last known title of the root session. */
    title: string
    /** The agent that asked, and its request; null in older rows. */
    agent: string | null
    requestID: string | null
  }
  by: Caller | null
  /** Epoch ms. */
  created: number
}

/** The newest grants, and whether there are more. */
export interface ListedGrants {
  grants: ListedGrant[]
  more: boolean
}

type GrantPorts = Pick<Store, "permission" | "standingGrant" | "session" | "project">

/** How many grants of each kind are listed. */
const limit = 500

/** All grants from "always" answers, newest first: those beyond one tree, then those of one tree. */
export async function listGrants(store: GrantPorts): Promise<ListedGrants> {
  const [standing, ofTrees] = [
    await store.standingGrant.newest(limit + 1),
    await store.permission.newestGrants(limit + 1),
  ]
  const places = knownPlaces(store)
  const grants: ListedGrant[] = []
  for (const grant of standing.slice(0, limit)) grants.push(await listedStanding(places, grant))
  for (const grant of ofTrees.slice(0, limit)) grants.push(await listedOfTree(places, grant))
  return { grants, more: standing.length > limit || ofTrees.length > limit }
}

/**
 * Removes a grant: from the next judgement on it has no effect, in every runtime on the store. @throws grant_not_found
 */
export async function revokeGrant(
  { permission, standingGrant }: Pick<GrantPorts, "permission" | "standingGrant">,
  id: string,
): Promise<void> {
  if ((await standingGrant.remove(id)) || (await permission.removeGrant(id))) return
  throw grantMissing(id)
}

export function grantMissing(id: string): DocketError {
  const words = `Nothing that was allowed for good has the id ${id}. It may be revoked already.`
  return new DocketError("grant_not_found", words)
}

/** Caches sessions and projects. */
interface Places {
  session(id: string): Promise<Session | null>
  project(id: string): Promise<ListedGrant["project"]>
}

function knownPlaces({ session, project }: Pick<GrantPorts, "session" | "project">): Places {
  const sessions = new Map<string, Promise<Session | null>>()
  const projects = new Map<string, Promise<ListedGrant["project"]>>()
  const once = <T>(known: Map<string, T>, id: string, read: () => T): T => {
    const found = known.get(id) ?? read()
    known.set(id, found)
    return found
  }
  return {
    session: (id) => once(sessions, id, () => session.get(id)),
    project: (id) =>
      once(projects, id, async () => {
        const found = await project.get(id)
        return { id, name: found?.name ?? id }
      }),
  }
}

async function listedStanding(places: Places, grant: StandingGrant): Promise<ListedGrant> {
  const { id, projectID, permission, patterns, origin, by, time } = grant
  const [asked, root] = [await places.session(origin.sessionID), await places.session(origin.rootID)]
  const { title, agent, requestID } = origin
  return {
    id,
    scope: projectID === null ? "everywhere" : "project",
    permission,
    patterns,
    project: projectID === null ? null : await places.project(projectID),
    origin: {
      sessionID: (asked ?? root)?.id ?? null,
      rootID: root?.id ?? null,
      title: root?.title ?? title,
      agent,
      requestID,
    },
    by: by ?? null,
    created: time.created,
  }
}

async function listedOfTree(places: Places, grant: PermissionGrant): Promise<ListedGrant> {
  const { id, rootID, sessionID, permission, pattern, requestID, agent, by, createdAt } = grant
  const root = await places.session(rootID)
  return {
    id,
    scope: sessionID === undefined ? "tree" : "task",
    permission,
    patterns: [pattern],
    project: root && (await places.project(root.projectID)),
    origin: {
      sessionID: root && (sessionID ?? rootID),
      rootID: root && rootID,
      title: root?.title ?? "",
      agent: agent ?? null,
      requestID: requestID ?? null,
    },
    by: by ?? null,
    created: createdAt,
  }
}
