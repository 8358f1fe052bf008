import type { IncomingMessage, ServerResponse } from "node:http"
import type { Tenants } from "@docket/core"
import type { Auth } from "../auth/auth.ts"
import { bearerToken } from "../auth/credentials.ts"
import type { Ingress } from "./ingress.ts"
import { healthPath, importPath } from "./paths.ts"
import type { Refusal } from "./refusal.ts"

export interface AppOriginOptions {
  /**
   * Origins of other apps whose pages may call, as the configuration has them now: those of a workspace, or with null
   * those of any.
   */
  appOrigins(workspace: string | null): readonly string[] | Promise<readonly string[]>
}

export interface AppTokenOptions extends AppOriginOptions {
  auth: Auth
  tenants: Pick<Tenants, "byToken">
}

/**
 * The origin of another app whose page asks for something that such pages may ask for; null for every other request. A
 * browser asks before it shows a token, so that this goes by what any workspace allows.
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

/** All that a bearer token opens and that an app has use for; no logins, tokens, tenants, pages and links. */
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

/** Says nothing of anybody. */
const openPaths = [healthPath, "/v1/openapi.json"]

/** Whether a page elsewhere showed no token for what needs one: its cookies open nothing. */
export function lacksToken({ headers }: IncomingMessage, path: string): boolean {
  return headers.authorization === undefined && !openPaths.includes(path)
}

/** Why the page may not use the token that it shows: it opens a workspace that does not allow its origin. Null if it may. */
export async function refuseToken(
  req: IncomingMessage,
  app: string,
  { auth, tenants, appOrigins }: AppTokenOptions,
): Promise<Refusal | null> {
  const token = bearerToken(req)
  if (token === null) return null
  const workspace = (await auth.identify(req))?.caller.workspace ?? (await tenants.byToken(token))?.tenant.id
  // Whatever is wrong with a token is told where it is used.
  if (workspace === undefined || (await appOrigins(workspace)).includes(app)) return null
  return crossSite
}

export const crossSite: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message: "requests from another site are refused",
}

/** Lets the page read the answer. Never with credentials: what a browser sends by itself opens nothing. */
export function allowOrigin(res: ServerResponse, origin: string): void {
  res.setHeader("access-control-allow-origin", origin)
  res.setHeader("access-control-expose-headers", "retry-after")
  res.appendHeader("vary", "origin")
}

/** How long a browser need not ask again (s). */
const maxAge = 600

/** Answers a browser that asks whether its page may call. */
export function answerPreflight(res: ServerResponse): void {
  res.setHeader("access-control-allow-methods", "GET, POST, PATCH, DELETE")
  res.setHeader("access-control-allow-headers", "authorization, content-type, idempotency-key, last-event-id")
  res.setHeader("access-control-max-age", maxAge)
  // A page of the internet reaches this machine only when the answer says so.
  if (res.req.headers["access-control-request-private-network"] === "true")
    res.setHeader("access-control-allow-private-network", "true")
  res.writeHead(204).end()
}
