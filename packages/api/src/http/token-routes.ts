import { DocketError, type Tenants } from "@docket/core"
import { records } from "@docket/core/operations"
import { ApiTokenID, shownNameUpTo } from "@docket/core/schema"
import { z } from "zod"
import { may } from "../access/may.ts"
import { requirePerson } from "../access/require-person.ts"
import type { Identity } from "../auth/identity.ts"
import { answerJson } from "./answer.ts"
import type { GuardedRoutes } from "./guarded-routes.ts"
import { readJson } from "./read-json.ts"

const NewToken = z.object({ tenant: z.string().optional(), name: shownNameUpTo(200) })
const RevocationBody = z.object({ id: z.string() })

/**
 * Tokens for `/v1`: `POST /api/tokens {tenant, name}` makes one, and only its answer shows the token. `GET
 * /api/tokens?tenant=` lists those of one tenant or of all, `POST /api/tokens/revoke {id}` ends one. The tenant is the
 * caller's workspace; people who run the service may name any.
 */
export function addTokenRoutes(routes: GuardedRoutes, tenants: Tenants): void {
  routes.get("/api/tokens", "keys.manage", async (c) => {
    const { reach, isReached } = reachOf(c.var.identity)
    const tenant = c.req.query("tenant") ?? reach
    const tokens = tenant === undefined || isReached(tenant) ? await tenants.listTokens(tenant) : []
    return answerJson(c, { tokens }, 200)
  })
  routes.post("/api/tokens", "keys.manage", records("key.made"), async (c) => {
    requirePerson(c.var.identity)
    const body = await readJson(c.env.incoming, NewToken)
    const identity = await c.var.checkAgain("keys.manage")
    const { tenant = identity.caller.workspace, name } = body
    if (!reachOf(identity).isReached(tenant))
      throw new DocketError("tenant_not_found", `There is no tenant "${tenant}" that you could make a token for.`)
    // The service's own token is no person.
    const by = identity.via === "token" ? undefined : identity.caller
    const { token, info } = await tenants.createToken({ tenantID: tenant, name, by })
    c.var.recorder?.about({ id: info.id, name, tenant })
    return answerJson(c, { token, ...info }, 201)
  })
  routes.post("/api/tokens/revoke", "keys.manage", records("key.ended"), async (c) => {
    const { id } = await readJson(c.env.incoming, RevocationBody)
    const { reach } = reachOf(await c.var.checkAgain("keys.manage"))
    const isKnown =
      ApiTokenID.safeParse(id).success &&
      (reach === undefined || (await tenants.listTokens(reach)).some((token) => token.id === id))
    if (!isKnown) throw new DocketError("token_not_found", `There is no token ${id}.`)
    const revoked = await tenants.revokeToken(id)
    c.var.recorder?.about({ id, name: revoked.name, tenant: revoked.tenantID })
    return answerJson(c, revoked, 200)
  })
}

/** `reach` is the only tenant whose tokens the caller may manage; undefined for all. */
function reachOf(identity: Identity): { reach: string | undefined; isReached(tenant: string): boolean } {
  const reach = may(identity, "service.manage") ? undefined : identity.caller.workspace
  return { reach, isReached: (tenant) => reach === undefined || tenant === reach }
}
