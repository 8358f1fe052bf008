import { OpenAPIHono } from "@hono/zod-openapi"
import { answerJson } from "../http/answer.ts"
import { addEventStreams } from "./event-stream.ts"
import { addMemory } from "./memory-entries.ts"
import type { ApiDocuments } from "./openapi.ts"
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
  documents: ApiDocuments
}

/**
 * The REST routes for programs. Every call has a bearer token; cookies do not count. Errors are JSON, but plain text for
 * 401, for 404 of an address, and for 405, unless the caller asks for `application/problem+json`. Todos, memory and
 * schedules have Arbiter's shapes.
 */
export function v1Routes(deps: V1Deps): OpenAPIHono<V1Env> {
  const app = new OpenAPIHono<V1Env>({ defaultHook: refuseInvalid })
  for (const [path, document] of [
    ["/openapi.json", deps.documents["3.1"]],
    ["/openapi-3.0.json", deps.documents["3.0"]],
  ] as const) {
    app.get(path, (c) => answerJson(c, document(), 200))
    app.all(path, refuseMethod)
  }
  app.use(identifyByToken(deps), limitCalls(deps), limitAtOnce())
  addTodos(app)
  addMemory(app)
  addSchedules(app)
  addSearch(app)
  addReviews(app)
  addEventStreams(app)
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
