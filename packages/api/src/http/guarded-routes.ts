import type { AuditRule, Capability } from "@docket/core/operations"
import type { Handler, Hono, MiddlewareHandler } from "hono"
import type { H } from "hono/types"
import { may, requireAccess } from "../access/may.ts"
import { isRecorded, isRefusal, type Recorder } from "../audit/audit.ts"
import type { Identity } from "../auth/identity.ts"
import type { NodeEnv } from "./answer.ts"
import type { SignedInEnv } from "./signed-in.ts"

const required = new WeakMap<H, { capability: Capability; audit: AuditRule | undefined }>()

interface RecordedEnv extends NodeEnv {
  Variables: { identity: Identity; recorder: Recorder | null }
}

/** Lets only callers with the capability pass, before the rest of the request is read, and records what was done. */
export function requires(capability: Capability, audit?: AuditRule): MiddlewareHandler<RecordedEnv> {
  const handler: MiddlewareHandler<RecordedEnv> = async (c, next) => {
    const { identity, recorder } = c.var
    const call = `${c.req.method} ${c.req.path}`
    const at = recorder?.now() ?? 0
    if (!may(identity, capability)) await recorder?.refused(capability, call)
    requireAccess(identity, capability)
    await next()
    if (recorder === null || !isRecorded(audit)) return
    if (isRefusal(c.error)) await recorder.refused(capability, call)
    else if (c.env.outgoing.statusCode < 400) await recorder.done(audit, { call, at, input: c.req.param() })
  }
  required.set(handler, { capability, audit })
  return handler
}

/** The capability that a route's handler requires; undefined for none. */
export function requiredBy(handler: H): Capability | undefined {
  return required.get(handler)?.capability
}

/** The audit rule of a route with this handler; undefined for none. */
export function auditedBy(handler: H): AuditRule | undefined {
  return required.get(handler)?.audit
}

type AddRoute = <P extends string>(path: P, capability: Capability, handler: Handler<SignedInEnv, P>) => void
type AddAct = <P extends string>(
  path: P,
  capability: Capability,
  audit: AuditRule,
  handler: Handler<SignedInEnv, P>,
) => void

/** Routes behind the login. Each names the capability that it requires. */
export interface GuardedRoutes {
  get: AddRoute
  /** A route that changes something has an audit rule. */
  post: AddAct
  /** Any method; the route changes nothing. */
  all: AddRoute
}

export function guardedRoutes(app: Hono<SignedInEnv>): GuardedRoutes {
  return {
    get: (path, capability, handler) => void app.get(path, requires(capability), handler),
    post: (path, capability, audit, handler) => void app.post(path, requires(capability, audit), handler),
    all: (path, capability, handler) => void app.all(path, requires(capability), handler),
  }
}
