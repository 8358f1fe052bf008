import type { Tenants } from "@docket/core"
import type { Caller } from "@docket/core/schema"
import { OpenAPIHono } from "@hono/zod-openapi"
import type { MiddlewareHandler } from "hono"
import type { Auth } from "../auth/auth.ts"
import { bearerToken } from "../auth/credentials.ts"
import { answerJson } from "../http/answer.ts"
import { keyOf } from "../http/key-of.ts"
import { createInFlight } from "./in-flight.ts"
import { addMemory } from "./memory-entries.ts"
import { addReviews } from "./reviews.ts"
import { addSchedules } from "./schedules.ts"
import { addSearch } from "./search.ts"
import { addTodos } from "./todos.ts"
import { addTransfers } from "./transfers.ts"
import type { V1App, V1Env } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { refuseInvalid } from "./v1-input.ts"

export interface V1Deps {
  auth: Auth
  tenants: Tenants
  /** Whose the service's own token is. */
  user: Caller
  /** The OpenAPI description of all routes. */
  document(): object
}

/**
 * The REST face for programs, in Arbiter's shapes: bearer token on every call, JSON errors `{"error"}`, and
 * plain text for 401, 404 of an address and 405. Cookies open nothing here.
 */
export function v1Routes(deps: V1Deps): V1App {
  const app: V1App = new OpenAPIHono<V1Env>({ defaultHook: refuseInvalid })
  app.get("/openapi.json", (c) => answerJson(c, deps.document(), 200))
  app.all("/openapi.json", refuseMethod)
  app.use(identify(deps), limit())
  addTodos(app)
  addMemory(app)
  addSchedules(app)
  addSearch(app)
  addReviews(app)
  addTransfers(app)
  for (const path of pathsOf(app)) app.all(path, refuseMethod)
  app.all("*", () => {
    throw new V1Error(404, "not found", "text")
  })
  return app
}

function refuseMethod(): never {
  throw new V1Error(405, "method not allowed", "text")
}

function pathsOf({ openAPIRegistry }: V1App): Set<string> {
  const paths = openAPIRegistry.definitions.flatMap((it) => (it.type === "route" ? [it.route.path] : []))
  return new Set(paths.map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1")))
}

/** The service's own token is one of the local tenant. Whatever is wrong with a token looks the same. */
function identify({ auth, tenants, user }: V1Deps): MiddlewareHandler<V1Env> {
  return async (c, next) => {
    const token = bearerToken(c.env.incoming)
    const isOwn = token !== null && auth.checkToken(token)
    const found = isOwn ? { tenant: tenants.local, name: "service" } : token && (await tenants.byToken(token))
    if (!found) throw new V1Error(401, "unauthorized", "text")
    // A token of a tenant stands for the person that it is named after.
    const caller = isOwn ? user : { person: found.name, workspace: found.tenant.id }
    c.set("caller", caller)
    c.set("client", found.name)
    c.set("tenant", { ...found.tenant, ...found.tenant.as(caller, keyOf(c.env.incoming)) })
    await next()
  }
}

function limit(): MiddlewareHandler<V1Env> {
  const inFlight = createInFlight()
  return async (c, next) => {
    if (await inFlight.run(c.var.tenant.id, next)) return
    c.env.outgoing.setHeader("retry-after", "1")
    const error = "too many requests of this tenant at once; send them one after another"
    return answerJson(c, { error, reason: "concurrent_request_limit", retry_after_seconds: 1 }, 429)
  }
}
