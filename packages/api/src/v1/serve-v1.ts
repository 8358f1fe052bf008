import type { IncomingMessage, ServerResponse } from "node:http"
import { isDocketError, type Tenants } from "@docket/core"
import type { Auth } from "../auth/auth.ts"
import { bearerToken } from "../auth/credentials.ts"
import { errorStatus } from "../error-status.ts"
import { sendJson } from "../http/respond.ts"
import type { InFlight } from "./in-flight.ts"
import { serveMemory } from "./memory-entries.ts"
import { openApiDocument } from "./openapi.ts"
import { serveRuns, serveSchedules } from "./schedules.ts"
import { serveTodos } from "./todos.ts"
import { sendPlain, sendV1Error, V1Error, type V1Request } from "./v1-request.ts"

export interface V1Deps {
  auth: Auth
  tenants: Tenants
  version: string
  inFlight: InFlight
  /** Where unexpected errors go. They are answered as "internal error". */
  log(text: string, error: unknown): void
}

/** What serves each first segment of the path. */
const resources: Record<string, (request: V1Request) => Promise<void>> = {
  todos: serveTodos,
  memory: serveMemory,
  schedules: serveSchedules,
  runs: serveRuns,
}

/**
 * The REST face for programs, in Arbiter's shapes: bearer token on every call, JSON errors `{"error"}`, and
 * plain text for 401, 404 of an address and 405. Cookies open nothing here.
 */
export async function serveV1(deps: V1Deps, req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
  const method = req.method === "HEAD" ? "GET" : (req.method ?? "")
  const path = url.pathname.split("/").slice(2)
  if (url.pathname === "/v1/openapi.json") {
    return method === "GET"
      ? sendJson(res, 200, openApiDocument(deps.version))
      : sendPlain(res, 405, "method not allowed")
  }
  const caller = await identify(deps, req)
  if (caller === null) return sendPlain(res, 401, "unauthorized")
  const serve = Object.hasOwn(resources, path[0] ?? "") ? resources[path[0] ?? ""] : undefined
  if (serve === undefined) return sendPlain(res, 404, "not found")
  const { tenant, name } = caller
  const request: V1Request = { req, res, url, method, path, tenant, caller: name }
  if (!(await deps.inFlight.run(tenant.id, () => answer(deps, request, serve)))) sendTooMany(res)
}

async function answer(
  { log }: Pick<V1Deps, "log">,
  request: V1Request,
  serve: (request: V1Request) => Promise<void>,
): Promise<void> {
  const { res, req, url } = request
  try {
    await serve(request)
  } catch (error) {
    if (error instanceof V1Error) sendV1Error(res, error.status, error.message)
    else if (isDocketError(error)) sendV1Error(res, errorStatus[error.code].http, error.message)
    else {
      log(`${req.method} ${url.pathname} failed`, error)
      sendV1Error(res, 500, "internal error")
    }
  }
}

function sendTooMany(res: ServerResponse): void {
  res.setHeader("retry-after", "1")
  const error = "too many requests of this tenant at once; send them one after another"
  sendJson(res, 429, { error, reason: "concurrent_request_limit", retry_after_seconds: 1 })
}

/** The service's own token is one of the local tenant. Whatever is wrong with a token looks the same. */
async function identify({ auth, tenants }: V1Deps, req: IncomingMessage) {
  const token = bearerToken(req)
  if (token === null) return null
  return auth.checkToken(token) ? { tenant: tenants.local, name: "service" } : tenants.byToken(token)
}
