import { type Auth, bearerToken, type Credentials, type Identity, loginCookie } from "@docket/api"
import { DocketError } from "@docket/core"
import { type Accounts, keyPrefix } from "./create-accounts.ts"
import type { IdentifyKey } from "./identify-key.ts"
import type { IdentityCache } from "./identity-cache.ts"
import type { Memberships } from "./memberships.ts"

export interface TeamAuthDeps {
  accounts: Accounts
  memberships: Memberships
  cache: IdentityCache
  identifyKey: IdentifyKey
  /** Accepts the service's own token, which only the operator has. */
  local: Auth
  clock(): number
}

/** Identifies callers of a service with accounts: users by a cookie, command lines and programs by a bearer token. */
export async function createTeamAuth(deps: TeamAuthDeps): Promise<Auth> {
  const { accounts, cache, local, identifyKey, clock } = deps
  const { authCookies, internalAdapter } = await accounts.$context
  const cookieName = authCookies.sessionToken.name
  const byToken = async (token: string) => {
    const found = await internalAdapter.findSession(token)
    // For cookies, better-auth checks this itself.
    if (found === null || found.session.expiresAt.getTime() <= clock()) return null
    return identityOf(deps, found)
  }
  const byCookie = async (cookie: string) => {
    const headers = new Headers({ cookie: `${cookieName}=${cookie}` })
    const found = await accounts.api.getSession({ headers, query: { disableRefresh: true } })
    return found === null ? null : identityOf(deps, found)
  }
  return {
    cookieName,
    identify(request: Credentials) {
      if (request.headers.authorization !== undefined) {
        const token = bearerToken(request)
        if (token === null) return null
        if (token.startsWith(keyPrefix)) return cache.of(token, () => identifyKey(token))
        return local.identify(request) ?? cache.of(token, () => byToken(token))
      }
      const cookie = loginCookie(request, cookieName)
      return cookie === null ? null : cache.of(`cookie ${cookie}`, () => byCookie(cookie))
    },
    createLoginCode() {
      throw new DocketError(
        "invalid_input",
        "Docket runs for a team here, so nobody is let in by a link alone. Sign in on its login page; an administrator makes a link for a new password with docket team reset.",
      )
    },
    redeemLoginCode: async () => null,
    async endLogin(secret) {
      const token = decodeURIComponent(secret).split(".")[0]
      if (token) await internalAdapter.deleteSession(token)
      cache.clear()
    },
  }
}

interface Found {
  session: { id: string; activeOrganizationId?: string | null | undefined }
  user: { id: string; name: string; isOperator?: boolean | null | undefined }
}

/** A user in their chosen workspace, else in their first one; null for a user without a workspace. */
async function identityOf({ memberships }: TeamAuthDeps, { session, user }: Found): Promise<Identity | null> {
  const all = await memberships.ofPerson(user.id)
  const membership = all.find(({ workspace }) => workspace === session.activeOrganizationId) ?? all[0]
  if (membership === undefined) return null
  const caller = { person: user.id, workspace: membership.workspace, name: user.name }
  return {
    caller,
    name: user.name,
    role: membership.role,
    via: "login",
    credentialID: session.id,
    workspaces: all.map(({ workspace }) => workspace),
    isOperator: user.isOperator === true,
  }
}
