import type { Tenant, Tenants } from "@docket/core"
import { tokenPerson } from "@docket/core/schema"
import type { MiddlewareHandler } from "hono"
import type { Audit } from "../audit/audit.ts"
import type { Auth } from "../auth/auth.ts"
import { bearerToken } from "../auth/credentials.ts"
import type { Identity } from "../auth/identity.ts"
import { type CallLimit, tooManyCalls } from "../http/call-limit.ts"
import type { ImportLimit } from "../http/import-limit.ts"
import type { Ingress } from "../http/ingress.ts"
import { idempotencyKeyOf } from "../http/key-of.ts"
import type { StreamLimit } from "../http/stream-limit.ts"
import { createInFlight } from "./in-flight.ts"
import { answerProblem } from "./problem.ts"
import type { V1Env } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"

export interface TokenLoginDeps {
  auth: Auth
  tenants: Tenants
  audit?: Audit | null | undefined
  ingress: Ingress
  callLimit?: CallLimit | null | undefined
  streams: StreamLimit
  imports: ImportLimit
}

/** Accepts only a token. Every wrong token gets the same answer. */
export function identifyByToken(deps: TokenLoginDeps): MiddlewareHandler<V1Env> {
  return async (c, next) => {
    const token = bearerToken(c.env.incoming)
    const find = async (shown: string) => (await bySignIn(deps, shown)) ?? (await byTenantsToken(deps, shown))
    const found = token && (await find(token))
    if (!found) throw new V1Error(401, "unauthorized", "text")
    const { identity, tenant } = found
    c.set("identity", identity)
    c.set("isStillAllowed", async () => isSame(identity, (await find(token))?.identity))
    c.set("streams", deps.streams)
    c.set("imports", deps.imports)
    c.set("recorder", deps.audit?.of(identity, c.env.incoming, deps.ingress) ?? null)
    c.set("tenant", { ...tenant, ...tenant.as(identity.caller, idempotencyKeyOf(c.env.incoming)) })
    await next()
  }
}

function isSame({ caller, role }: Identity, now: Identity | undefined): boolean {
  return now !== undefined && now.caller.workspace === caller.workspace && now.role === role
}

interface Found {
  identity: Identity
  tenant: Tenant
}

/** The service's own token, or a key of its accounts for programs. */
async function bySignIn({ auth, tenants }: TokenLoginDeps, token: string): Promise<Found | null> {
  const identity = await auth.identify({ headers: { authorization: `Bearer ${token}` } })
  return identity && { identity, tenant: await tenants.of(identity.caller.workspace) }
}

/**
 * A tenant's token acts as a person of its own with the role of a member. It is told from others by its id, because
 * whoever makes a token chooses its name.
 */
async function byTenantsToken({ tenants }: TokenLoginDeps, token: string): Promise<Found | null> {
  const found = await tenants.byToken(token)
  if (found === null) return null
  const { tenant, id, name } = found
  const caller = { person: tokenPerson(id), workspace: tenant.id, name }
  return { identity: { caller, name, role: "member", via: "token", credentialID: id }, tenant }
}

/** Refuses callers who call too often. */
export function limitCalls({ callLimit }: Pick<TokenLoginDeps, "callLimit">): MiddlewareHandler<V1Env> {
  return async (c, next) => {
    const wait = callLimit ? await callLimit.take(c.var.identity) : null
    if (wait === null) return next()
    c.env.outgoing.setHeader("retry-after", String(wait))
    return answerProblem(c, {
      status: 429,
      message: tooManyCalls(wait),
      more: { reason: "rate_limit", retry_after_seconds: wait },
    })
  }
}

/** Refuses requests of a tenant that has too many in progress. */
export function limitAtOnce(): MiddlewareHandler<V1Env> {
  const inFlight = createInFlight()
  return async (c, next) => {
    const { id } = c.var.tenant
    c.set("apart", (wait) => inFlight.apart(id, wait))
    if (await inFlight.run(id, next)) return
    c.env.outgoing.setHeader("retry-after", "1")
    return answerProblem(c, {
      status: 429,
      message: "too many requests of this tenant at once; send them one after another",
      more: { reason: "concurrent_request_limit", retry_after_seconds: 1 },
    })
  }
}
