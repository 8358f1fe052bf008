import { isDocketError } from "@docket/core"
import {
  type AnyOperation,
  type Asker,
  type CoreOperations,
  coreOperations,
  listOperations,
  type Operation,
  type Rest,
  type RestRequest,
  type SaidRest,
} from "@docket/core/operations"
import { type RouteConfig, z } from "@hono/zod-openapi"
import type { MiddlewareHandler } from "hono"
import { answerJson } from "../http/answer.ts"
import { untilLost } from "../http/until-lost.ts"
import { askerOf, boundOperation } from "../operation-procedures.ts"
import { answerTooManyStreams } from "./answer-too-many-streams.ts"
import { type GuardedRoute, guardedRoute } from "./guarded-route.ts"
import { inWireWords } from "./in-wire-words.ts"
import { errorResponse, jsonBody, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import type { V1App, V1Context, V1Env } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { checkItem, idInAddress, itemParams, readJsonBody } from "./v1-input.ts"
import { capitalized } from "./wire-name.ts"

type AnyRest = Rest<unknown, unknown>

/** Adds the routes of all operations with `rest`, in the words of `/v1`. */
export function addOperations(app: V1App): void {
  for (const [name, operation] of listOperations(coreOperations)) {
    if (operation.rest !== undefined) serve(app, name, operation, inWireWords(operation.rest))
  }
}

type At<T, Name extends string> = Name extends `${infer First}.${infer Rest}`
  ? At<T[First & keyof T], Rest>
  : T[Name & keyof T]
type ParsedOf<O> = O extends Operation<infer _K, infer _I, infer Parsed, infer _O> ? Parsed : never
type OutputOf<O> = O extends Operation<infer _K, infer _I, infer _P, infer Output> ? Output : never

/**
 * Adds another route for an operation, in the words of another program: it is served as it is written. `before` runs
 * before the body is read.
 */
export function addRoute<Name extends string, Body extends z.ZodType = z.ZodUndefined>(
  app: V1App,
  name: Name,
  rest: SaidRest<ParsedOf<At<CoreOperations, Name>>, OutputOf<At<CoreOperations, Name>>, Body>,
  ...before: MiddlewareHandler<V1Env>[]
): void {
  const operation = listOperations(coreOperations).find(([its]) => its === name)?.[1]
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  // The operation of that name takes what `read` gives, and gives what `write` takes.
  serve(app, name, operation, rest as AnyRest, before)
}

function serve(
  app: V1App,
  name: string,
  operation: AnyOperation,
  rest: AnyRest,
  before: MiddlewareHandler<V1Env>[] = [],
): void {
  const { item, path } = rest
  // The address is checked before the method.
  if (item && "numberOf" in item) app.use(path.replace("{id}", ":id"), checkItem(paramsOf(item)))
  app.openapi(routeOf(operation, rest, before), async (c) => {
    const request = requestOf(c, rest)
    const run = boundOperation(c.var.tenant, name.split("."))
    // A tenant without agents lacks their operations.
    if (run === undefined) return answerJson(c, withoutAgents(rest, request), rest.status)
    if (rest.waits && !c.var.streams.open(c.var.identity, c.env.outgoing)) return answerTooManyStreams(c)
    const asker = { ...apiAskerOf(c), signal: rest.waits ? untilLeft(c) : null }
    const act = () => inWordsOf(rest, async () => run(await rest.read(request), asker))
    const output = await (rest.waits ? c.var.apart(act) : act())
    if (rest.waits && !(await c.var.isStillAllowed())) throw new V1Error(401, "unauthorized", "text")
    if (rest.about !== undefined) c.var.recorder?.about(rest.about(output))
    return answerJson(c, rest.write === undefined ? output : rest.write(output, request), rest.status)
  })
}

function apiAskerOf({ var: { identity, recorder } }: V1Context): Partial<Asker> {
  return { ...askerOf({ identity, recorder, origin: "" }), actor: { kind: "api", name: identity.name } }
}

/** Aborts when the caller leaves, or may no longer call. */
function untilLeft({ env: { outgoing }, var: { isStillAllowed } }: V1Context): AbortSignal {
  const left = new AbortController()
  outgoing.once("close", () => left.abort())
  return untilLost(isStillAllowed, left.signal)
}

const Item = z.object({ id: z.string().default("") })

function requestOf(c: V1Context, { body, query }: AnyRest): RestRequest<unknown> {
  const { id } = Item.parse(c.req.param())
  const { tenant, identity } = c.var
  return {
    id,
    number: Number.isSafeInteger(Number(id)) ? Number(id) : 0,
    // `as never`: only routes with a body or parameters know these names.
    body: body && c.req.valid("json" as never),
    query: query === undefined ? {} : c.req.valid("query" as never),
    by: identity.name,
    hasSession: tenant.hasSession,
  }
}

/** @throws V1Error 404 for a tenant that runs no agents: whatever the request names is not its own */
function withoutAgents(rest: AnyRest, request: RestRequest<unknown>): unknown {
  const answer = rest.withoutAgents?.(request)
  if (answer === undefined) throw new V1Error(404, "not found")
  return answer
}

/** @throws V1Error for an expected failure that the route has its own words for */
export async function inWordsOf<T>({ errors = {} }: Pick<AnyRest, "errors">, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const said = isDocketError(error) ? errors[error.code] : undefined
    throw said === undefined ? error : new V1Error(...said)
  }
}

function routeOf({ capability, audit }: AnyOperation, rest: AnyRest, before: MiddlewareHandler<V1Env>[]): GuardedRoute {
  const { method, path, operationID, summary, item, query, body, status, answer } = rest
  const refused = Object.entries(rest.refusals).map(([code, words]) => [code, errorResponse(words)])
  const parameters = Object.entries(query ?? {}).map(([name, { description, ...schema }]) => [
    name,
    queryParameter(schema, description),
  ])
  const config: RouteConfig = {
    method,
    path,
    operationId: operationID,
    summary,
    middleware: [...before, ...(body === undefined ? [] : [readJsonBody])],
    request: {
      ...(item !== undefined && { params: paramsOf(item) }),
      ...(query !== undefined && { query: z.object(Object.fromEntries(parameters)) }),
      ...(body !== undefined && { body: jsonBody(body, `${capitalized(operationID)}Body`) }),
    },
    responses: {
      [status]: jsonResponse(answer.description, answer.schema),
      ...Object.fromEntries(refused),
      ...refusals,
    },
  }
  if (audit === undefined) return guardedRoute(capability, { ...config, method: "get" })
  // Only the id in the address is recorded: the body is written by strangers.
  const rule = "act" in audit ? { act: audit.act, targets: ["id"] } : audit
  return guardedRoute(capability, config, rule)
}

function paramsOf(item: NonNullable<AnyRest["item"]>) {
  if ("numberOf" in item) return itemParams(item.numberOf)
  const { schema, called } = item
  return z.object({ id: idInAddress(schema, called).openapi({ param: { description: `${called} id` } }) })
}
