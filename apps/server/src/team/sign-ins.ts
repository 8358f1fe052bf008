import type { Identity, SignIn } from "@docket/api"
import { DocketError } from "@docket/core"
import type { Context } from "./create-accounts.ts"
import { endDeviceCodes } from "./device-codes.ts"

/** The active sign-ins of a user. */
export function createSignIns({ internalAdapter, adapter }: Context, changed: () => void) {
  const sessionsOf = ({ caller }: Identity) => internalAdapter.listSessions(caller.person, { onlyActiveSessions: true })
  return {
    async list(by: Identity): Promise<SignIn[]> {
      const sessions = await sessionsOf(by)
      return sessions
        .map(({ id, userAgent, ipAddress, createdAt, expiresAt }) => ({
          id,
          device: userAgent ?? "",
          address: ipAddress || null,
          created: createdAt.getTime(),
          expires: expiresAt.getTime(),
          isCurrent: id === by.credentialID,
        }))
        .sort((one, other) => other.created - one.created)
    },
    async end(by: Identity, id: string): Promise<void> {
      const session = (await sessionsOf(by)).find((each) => each.id === id)
      if (session === undefined) throw new DocketError("sign_in_not_found", "You are not signed in there any more.")
      await endDeviceCodes(adapter, by.caller.person)
      await internalAdapter.deleteSession(session.token)
      changed()
    },
    async endOthers(by: Identity): Promise<number> {
      await endDeviceCodes(adapter, by.caller.person)
      const others = (await sessionsOf(by)).filter(({ id }) => id !== by.credentialID)
      await internalAdapter.deleteSessions(others.map(({ token }) => token))
      changed()
      return others.length
    },
  }
}

export type SignIns = ReturnType<typeof createSignIns>
