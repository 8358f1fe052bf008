import type { Handler, Hono, MiddlewareHandler } from "hono"
import type { H } from "hono/types"
import type { Capability } from "../access/access-table.ts"
import { requireAccess } from "../access/may.ts"
import type { Identity } from "../auth/identity.ts"
import type { SignedInEnv } from "./signed-in.ts"

const required = new WeakMap<H, Capability>()

/** Lets on who has the capability, before anything else of the request is looked at. */
export function requires(capability: Capability): MiddlewareHandler<{ Variables: { identity: Identity } }> {
  const handler: MiddlewareHandler<{ Variables: { identity: Identity } }> = async ({ var: { identity } }, next) => {
    requireAccess(identity, capability)
    await next()
  }
  required.set(handler, capability)
  return handler
}

/** What a handler of a route requires; undefined for one that requires nothing. */
export function requiredBy(handler: H): Capability | undefined {
  return required.get(handler)
}

type AddRoute = <P extends string>(path: P, capability: Capability, handler: Handler<SignedInEnv, P>) => void

/** Routes behind the login: each names what it takes to be served. */
export interface GuardedRoutes {
  get: AddRoute
  post: AddRoute
  /** By every method. */
  all: AddRoute
}

export function guardedRoutes(app: Hono<SignedInEnv>): GuardedRoutes {
  return {
    get: (path, capability, handler) => void app.get(path, requires(capability), handler),
    post: (path, capability, handler) => void app.post(path, requires(capability), handler),
    all: (path, capability, handler) => void app.all(path, requires(capability), handler),
  }
}
