import type { IncomingMessage, ServerResponse } from "node:http"
import type { Tenants } from "@docket/core"
import type { Auth } from "../auth/auth.ts"
import { bearerToken } from "../auth/credentials.ts"
import type { Ingress } from "./ingress.ts"
import { healthPath, importPath } from "./paths.ts"
import type { Refusal } from "./refusal.ts"

export interface AppOriginOptions {
  /** The origins of other apps whose pages may call, as now configured: for one workspace, or with null for any. */
  appOrigins(workspace: string | null): readonly string[] | Promise<readonly string[]>
}

export interface AppTokenOptions extends AppOriginOptions {
  auth: Auth
  tenants: Pick<Tenants, "byToken">
}

/**
 * The allowed origin of another app whose page sends the request; null for every other request. A browser's preflight
 * has no token, so what any workspace allows counts here.
 */
export async function findAppOrigin(
  req: IncomingMessage,
  path: string,
  { appOrigins, ingress }: AppOriginOptions & { ingress: Pick<Ingress, "originOf"> },
): Promise<string | null> {
  const { origin } = req.headers
  if (origin === undefined || origin === ingress.originOf(req) || !isForApps(path)) return null
  return (await appOrigins(null)).includes(origin) ? origin : null
}

/** The paths that an app with a token may use. Logins, tokens, tenants, pages and links are not among them. */
function isForApps(path: string): boolean {
  return (
    path.startsWith("/api/trpc/") ||
    path.startsWith("/v1/") ||
    path.startsWith("/api/export/") ||
    path === importPath ||
    path === healthPath ||
    /^\/session\/[^/]+\/todo$/.test(path)
  )
}

/** Paths that need no token, because they reveal nothing about anybody. */
const openPaths = [healthPath, "/v1/openapi.json"]

/** Whether a page of another origin sent no token where one is needed. Its cookies do not count. */
export function lacksToken({ headers }: IncomingMessage, path: string): boolean {
  return headers.authorization === undefined && !openPaths.includes(path)
}

/** Refuses a token of a workspace that does not allow the page's origin. Null when the page may use it. */
export async function refuseToken(
  req: IncomingMessage,
  app: string,
  { auth, tenants, appOrigins }: AppTokenOptions,
): Promise<Refusal | null> {
  const token = bearerToken(req)
  if (token === null) return null
  const workspace = (await auth.identify(req))?.caller.workspace ?? (await tenants.byToken(token))?.tenant.id
  // A wrong token is refused where it is used.
  if (workspace === undefined || (await appOrigins(workspace)).includes(app)) return null
  return crossSite
}

export const crossSite: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message: "requests from another site are refused",
}

/**
 * Lets the page read the answer, but never with credentials: cookies, which a browser sends by itself, must not count.
 */
export function allowOrigin(res: ServerResponse, origin: string): void {
  res.setHeader("access-control-allow-origin", origin)
  res.setHeader("access-control-expose-headers", "retry-after")
  res.appendHeader("vary", "origin")
}

/** For how long a browser may keep the answer of a preflight (s). */
const maxAge = 600

/** Answers a browser's preflight. */
export function answerPreflight(res: ServerResponse): void {
  res.setHeader("access-control-allow-methods", "GET, POST, PATCH, DELETE")
  res.setHeader("access-control-allow-headers", "authorization, content-type, idempotency-key, last-event-id")
  res.setHeader("access-control-max-age", maxAge)
  // Browsers let an internet page reach this machine only with this header.
  if (res.req.headers["access-control-request-private-network"] === "true")
    res.setHeader("access-control-allow-private-network", "true")
  res.writeHead(204).end()
}
