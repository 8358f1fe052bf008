import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, GrantScope, Session, StandingGrant } from "../../ground/schema/index.ts"
import type { PermissionGrant, Store } from "../../ground/store/index.ts"

/** What was allowed for good, for people. */
export interface ListedGrant {
  id: string
  scope: GrantScope
  permission: string
  patterns: string[]
  /** Where it counts; null: in every project. */
  project: { id: string; name: string } | null
  origin: {
    /** The session that asked, or its root; null once both are gone. */
    sessionID: string | null
    rootID: string | null
    /** Title of the root session, as it is or was last known. */
    title: string
    /** Who asked, and by which request; null in rows of before. */
    agent: string | null
    requestID: string | null
  }
  by: Caller | null
  /** Epoch ms. */
  created: number
}

/** The newest, and whether there are more than are listed. */
export interface ListedGrants {
  grants: ListedGrant[]
  more: boolean
}

type GrantPorts = Pick<Store, "permission" | "standingGrant" | "session" | "project">

/** Of each kind. */
const limit = 500

/** All that people allowed with "always", newest first: what reaches beyond a tree, then what counts in one. */
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

/** It answers nothing from the next judgement on, in any runtime on the store. @throws grant_not_found */
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

/** Sessions and projects, each read once. */
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
