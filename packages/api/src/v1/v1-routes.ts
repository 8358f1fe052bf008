import { OpenAPIHono } from "@hono/zod-openapi"
import { answerJson } from "../http/answer.ts"
import { addMemory } from "./memory-entries.ts"
import { addOperations } from "./operation-routes.ts"
import { addReviews } from "./reviews.ts"
import { addSchedules } from "./schedules.ts"
import { addSearch } from "./search.ts"
import { addTodos } from "./todos.ts"
import { identifyByToken, limitAtOnce, limitCalls, type TokenLoginDeps } from "./token-login.ts"
import { addTransfers } from "./transfers.ts"
import type { V1Env } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { refuseInvalid } from "./v1-input.ts"

export interface V1Deps extends TokenLoginDeps {
  /** The OpenAPI description of all routes. */
  document(): object
}

/**
 * The REST routes for programs, in Arbiter's shapes. Every call has a bearer token; cookies do not count. Errors are
 * JSON, `{"error"}`, but plain text for 401, for 404 of an address, and for 405.
 */
export function v1Routes(deps: V1Deps): OpenAPIHono<V1Env> {
  const app = new OpenAPIHono<V1Env>({ defaultHook: refuseInvalid })
  app.get("/openapi.json", (c) => answerJson(c, deps.document(), 200))
  app.all("/openapi.json", refuseMethod)
  app.use(identifyByToken(deps), limitCalls(deps), limitAtOnce())
  addTodos(app)
  addMemory(app)
  addSchedules(app)
  addSearch(app)
  addReviews(app)
  addOperations(app)
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

function pathsOf({ openAPIRegistry }: OpenAPIHono<V1Env>): Set<string> {
  const paths = openAPIRegistry.definitions.flatMap((it) => (it.type === "route" ? [it.route.path] : []))
  return new Set(paths.map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1")))
}
