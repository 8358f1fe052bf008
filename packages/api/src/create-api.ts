import type { IncomingMessage, ServerResponse } from "node:http"
import type { DocketError, NodeService } from "@docket/core"
import type { NodeRole } from "@docket/core/schema"
import {
  type AppOriginOptions,
  allowOrigin,
  answerPreflight,
  crossSite,
  findAppOrigin,
  refuseToken,
} from "./http/app-origin.ts"
import { sendTooManyCalls } from "./http/call-limit.ts"
import { type GuardOptions, guardRequest } from "./http/guard.ts"
import { createLargeBodies, type LargeBodies, tooManyLarge } from "./http/large-bodies.ts"
import { loadRoutes } from "./http/load-routes.ts"
import { configSchemaPath, healthPath, isForPrograms, readyPath } from "./http/paths.ts"
import { notSignedIn, sendJson, sendRefusal, setSafeHeaders } from "./http/respond.ts"
import type { RoutesDeps } from "./http/routes.ts"
import { sendAway } from "./http/send-away.ts"
import { serveTrpc, trpcPath } from "./http/trpc-route.ts"
import { acceptBasicLogin } from "./opencode/basic-login.ts"
import { isLinkPage } from "./public/share-pass.ts"
import type { AccountFace } from "./team/account-face.ts"
import type { TeamService } from "./team/team-service.ts"

export interface ApiDeps extends RoutesDeps, GuardOptions, AppOriginOptions {
  /** Null for a service without accounts. */
  accounts?: AccountFace | null | undefined
  team?: TeamService | null | undefined
  nodes: NodeService
  /** Which process of the service this is. */
  process?: { role: NodeRole; node: string | null } | undefined
  /** Why this process takes no requests, or no work, now; null when it does. */
  notReady?: (() => NotReady | null) | undefined
  /** Why the database cannot be used now; null when it can. Until then no request begins. */
  away?: (() => DocketError | null) | undefined
}

/** Either the request was answered, or it is for a page that the caller may see. */
export type ApiOutcome = "answered" | "page"

/**
 * The HTTP side of all workspaces: tRPC at `/api/trpc`, the plain routes in Hono, and the checks of every request,
 * pages included. Call it for each request, and serve a page only on `"page"`.
 */
export function createApi(deps: ApiDeps): (req: IncomingMessage, res: ServerResponse) => Promise<ApiOutcome> {
  const routes = loadRoutes(deps)
  const largeBodies = createLargeBodies()
  const serve = async (req: IncomingMessage, res: ServerResponse, path: string) => {
    if (deps.callLimit && (await refuseTooMany({ ...deps, largeBodies }, req, res, path))) return
    // Anybody may read a link, and what lasts longer in `/v1` checks its token again by itself.
    if (isWatched(path)) deps.accounts?.watch(req, res)
    if (path.startsWith(trpcPath)) await serveTrpc(deps, req, res)
    else await (await routes())(req, res)
  }
  return async (req, res) => {
    acceptBasicLogin(req)
    if (deps.ingress.isSecure) res.setHeader("strict-transport-security", stayWithTls)
    const url = requestUrl(req)
    const away = url && needsDatabase(url.pathname) ? (deps.away?.() ?? null) : null
    const mayComeFromApp = url !== null && away === null && req.headers.origin !== undefined
    const app = mayComeFromApp ? await findAppOrigin(req, url.pathname, deps) : null
    const guarded = url ? guardRequest(req, url.pathname, { ingress: deps.ingress, app }) : badPath
    const refusal = guarded ?? (app !== null && req.method !== "OPTIONS" ? await refuseToken(req, app, deps) : null)
    // The page of an allowed app may read every answer except a refusal of its origin or of the Host.
    const mayReadAnswer = app !== null && refusal !== crossSite && refusal?.status !== 421
    if (mayReadAnswer) allowOrigin(res, app)
    if (!url || refusal) {
      setSafeHeaders(res)
      sendRefusal(res, refusal ?? badPath)
      return "answered"
    }
    if (app !== null && req.method === "OPTIONS") {
      answerPreflight(res)
      return "answered"
    }
    if (away !== null) {
      setSafeHeaders(res)
      sendAway(res, { path: url.pathname, away, version: deps.version, log: deps.log })
      return "answered"
    }
    // Pages of other origins bring a token; people sign in only here.
    if (app === null && (await deps.accounts?.serve(req, res, url.pathname))) return "answered"
    if (!isPage(url.pathname) || isUnlock(req, url.pathname)) {
      setSafeHeaders(res)
      if (url.pathname === healthPath) sendJson(res, 200, { status: "ok", version: deps.version, ...deps.process })
      else if (url.pathname === readyPath) sendReady(res, deps.notReady?.() ?? null)
      else await serve(req, res, url.pathname)
      return "answered"
    }
    if (isPublicPage(url.pathname) || deps.accounts?.isOpenPage(url.pathname)) return "page"
    if ((await deps.auth.identify(req)) !== null) return "page"
    refusePage(req, res, url)
    return "answered"
  }
}

export interface NotReady {
  status: "starting" | "draining" | "stopping"
  message: string
}

function sendReady(res: ServerResponse, reason: NotReady | null): void {
  if (reason !== null) res.setHeader("retry-after", "2")
  sendJson(res, reason === null ? 200 : 503, reason ?? { status: "ready" })
}

/** Calls that end the caller's own rights. Their connection stays open, so that the answer arrives. */
const endsOwnRights = new Set(["workspace.switch", "workspace.remove", "workspace.removeAny", "team.leave"])

function isWatched(path: string): boolean {
  if (path.startsWith("/api/share/")) return false
  return path.startsWith("/api/") && !endsOwnRights.has(path.slice(trpcPath.length))
}

/** Limits the calls of people who are signed in. Routes for programs do so themselves: they also take tokens of tenants. */
async function refuseTooMany(
  { auth, callLimit, largeBodies }: Pick<ApiDeps, "auth" | "callLimit"> & { largeBodies: LargeBodies },
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
): Promise<boolean> {
  if (!callLimit || isForPrograms(path)) return false
  const identity = await auth.identify(req)
  if (identity === null) return false
  const wait = await callLimit.take(identity)
  if (wait !== null) sendTooManyCalls(res, wait)
  else if (largeBodies.take(identity, req, res)) return false
  else sendRefusal(res.setHeader("retry-after", "1"), tooManyLarge)
  return true
}

/** A browser is sent to the login page, anything else gets 401. */
function refusePage(req: IncomingMessage, res: ServerResponse, url: URL): void {
  setSafeHeaders(res)
  if (req.method === "GET" && req.headers.accept?.includes("text/html")) {
    const next = url.pathname === "/" ? "" : `?next=${encodeURIComponent(url.pathname + url.search)}`
    res.writeHead(302, { location: `/login${next}` }).end()
  } else {
    sendRefusal(res, notSignedIn)
  }
}

/** Session ids have one form. With anything else in its place, the path is a page. */
const todoPath = /^\/session\/ses_[0-9A-Za-z]{26}\/todo$/

function isPage(path: string): boolean {
  if (path === "/api" || path === configSchemaPath) return false
  return !path.startsWith("/api/") && !isForPrograms(path) && !todoPath.test(path)
}

/** The only POST that a page takes is the password of a link. */
function isUnlock({ method }: IncomingMessage, path: string): boolean {
  return method === "POST" && isLinkPage(path)
}

/** While the database is away only files are served, and Stop, which works without it. */
function needsDatabase(path: string): boolean {
  if (path === configSchemaPath || path === `${trpcPath}session.abort`) return false
  return isLinkPage(path) || !isPublicPage(path)
}

const publicFiles = new Set(["/login", "/favicon.ico", "/icon.svg", "/robots.txt"])

function isPublicPage(path: string): boolean {
  return publicFiles.has(path) || path.startsWith("/_next/static/") || isLinkPage(path)
}

/** Tells browsers to use TLS only, for a year from each answer. */
const stayWithTls = "max-age=31536000"

const badPath = { status: 400, code: "BAD_REQUEST", message: "the address is not in its plain form" } as const

/** Null unless the path is in its plain form: then this check and the web app read it in the same way. */
function requestUrl(req: IncomingMessage): URL | null {
  const raw = req.url ?? ""
  if (!raw.startsWith("/") || raw.startsWith("//")) return null
  const url = new URL(raw, "http://localhost")
  return url.pathname === raw.split("?")[0] ? url : null
}
