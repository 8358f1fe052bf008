import type { Sandbox } from "../acts/sandbox/sandbox.ts"
import { DocketError } from "../ground/error/docket-error.ts"
import type { CreateId } from "../ground/id/create-id.ts"
import type { Caller, Session } from "../ground/schema/index.ts"
import type { StandingGrantStore } from "../ground/store/index.ts"

/** The permission name of grants for what commands may leave behind; no tool asks for it. */
export const leftPermission = "left_behind"

interface AllowLeftDeps {
  sandbox?: Pick<Sandbox, "allowLeft"> | undefined
  standing: Pick<StandingGrantStore, "put">
  sessionByID(id: string): Promise<Session>
  createID: CreateId
  clock(): number
}

/** See `PermissionService.allowLeft`. */
export async function allowLeft(
  deps: AllowLeftDeps,
  caller: Caller,
  left: { sessionID: string; id: string },
): Promise<void> {
  const { sandbox, standing, sessionByID, createID, clock } = deps
  const session = await sessionByID(left.sessionID)
  const root = session.rootID === session.id ? session : await sessionByID(session.rootID)
  if (sandbox === undefined) throw new DocketError("left_not_kept", "This service starts commands without a sandbox.")
  await sandbox.allowLeft(session.projectID, left.id, (pattern) =>
    standing.put({
      id: createID("grant"),
      projectID: session.projectID,
      permission: leftPermission,
      patterns: [pattern],
      origin: { requestID: null, rootID: root.id, sessionID: session.id, title: root.title, agent: session.agent },
      by: caller,
      time: { created: clock() },
    }),
  )
}

/** What commands of a project may leave behind, according to people's grants. */
export async function allowedLeft(standing: Pick<StandingGrantStore, "of">, projectID: string): Promise<string[]> {
  const grants = await standing.of(projectID)
  return grants.flatMap(({ permission, patterns }) => (permission === leftPermission ? patterns : []))
}
