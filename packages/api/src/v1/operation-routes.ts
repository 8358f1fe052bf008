import { type AnyOperation, coreOperations, listOperations, type Rest } from "@docket/core/operations"
import { type RouteConfig, z } from "@hono/zod-openapi"
import { answerJson } from "../http/answer.ts"
import { boundOperation } from "../operation-procedures.ts"
import { agentsOf } from "./agents-of.ts"
import { type GuardedRoute, guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonBody, jsonResponse, refusals } from "./openapi-parts.ts"
import type { V1App } from "./v1-app.ts"
import { checked, readJsonBody } from "./v1-input.ts"

/** The routes of operations that say how programs reach them. */
export function addOperations(app: V1App): void {
  for (const [name, operation] of listOperations(coreOperations)) {
    const { rest } = operation
    if (rest === undefined) continue
    app.openapi(routeOf(operation, rest), async (c) => {
      const { id } = Item.parse(c.req.param())
      // `as never`: only the routes that have a body know the name.
      const body = rest.body === undefined ? undefined : c.req.valid("json" as never)
      const input = rest.read(id, body)
      const output = await boundOperation(agentsOf(c), name.split("."))(input)
      return answerJson(c, rest.write === undefined ? output : rest.write(output), rest.status)
    })
  }
}

const Item = z.object({ id: z.string().default("") })

function routeOf({ capability, audit }: AnyOperation, rest: AnyRest): GuardedRoute {
  const { method, path, operationID, summary, item, body, status, answer } = rest
  const refused = Object.entries(rest.refusals).map(([code, words]) => [code, errorResponse(words)])
  const config: RouteConfig = {
    method,
    path,
    operationId: operationID,
    summary,
    ...(body !== undefined && { middleware: readJsonBody }),
    request: {
      ...(item !== undefined && { params: paramsOf(item) }),
      ...(body !== undefined && { body: jsonBody(body) }),
    },
    responses: {
      [status]: jsonResponse(answer.description, answer.schema),
      ...Object.fromEntries(refused),
      ...refusals,
    },
  }
  if (audit === undefined) return guardedRoute(capability, { ...config, method: "get" })
  // What a route is told of stands in its address; its body is written by strangers.
  const rule = "act" in audit ? { act: audit.act, targets: ["id"] } : audit
  return guardedRoute(capability, config, rule)
}

type AnyRest = Rest<unknown, unknown>

function paramsOf({ schema, called }: NonNullable<AnyRest["item"]>) {
  return z.object({ id: checked(schema, called).openapi({ param: { description: `${called} id` } }) })
}
