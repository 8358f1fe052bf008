import type { IncomingMessage, ServerResponse } from "node:http"
import { isDocketError, type Runtime, type Tenants } from "@docket/core"
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http"
import type { Auth } from "./auth/auth.ts"
import { isSignedIn } from "./auth/credentials.ts"
import { maxBodyBytes } from "./http/body-limit.ts"
import { type GuardOptions, guardRequest } from "./http/guard.ts"
import { createListText, type ListText } from "./http/list-text.ts"
import { serveLogin, serveLoginCode, serveLogout } from "./http/login-routes.ts"
import { notFound, sendError, sendJson, sendJsonText, sendRefusal, setSafeHeaders } from "./http/respond.ts"
import { serveTenants } from "./http/tenant-routes.ts"
import { serveTokens } from "./http/token-routes.ts"
import { serveShare } from "./public/share-routes.ts"
import { appRouter } from "./router.ts"
import { createInFlight, type InFlight } from "./v1/in-flight.ts"
import { serveV1 } from "./v1/serve-v1.ts"

export interface ApiDeps extends GuardOptions {
  runtime: Runtime
  auth: Auth
  tenants: Tenants
  version: string
  /** Where unexpected errors go. They are answered as "internal error". */
  log(text: string, error: unknown): void
}

/** Whether the request was answered, or is for a page that the caller may see. */
export type ApiOutcome = "answered" | "page"

/**
 * The HTTP face of a runtime: tRPC at `/api/trpc`, the plain routes, and the checks of every request,
 * pages included. Call it for each request and serve a page only on `"page"`.
 */
export function createApi(deps: ApiDeps): (req: IncomingMessage, res: ServerResponse) => Promise<ApiOutcome> {
  const service = { ...deps, listText: createListText(), inFlight: createInFlight() }
  return async (req, res) => {
    try {
      return await serve(service, req, res)
    } catch (error) {
      sendError(res, error, deps.log)
      return "answered"
    }
  }
}

interface Service extends ApiDeps {
  listText: ListText
  inFlight: InFlight
}

async function serve(deps: Service, req: IncomingMessage, res: ServerResponse): Promise<ApiOutcome> {
  const url = requestUrl(req)
  const refusal = url ? guardRequest(req, url.pathname, deps) : badPath
  if (!url || refusal) {
    setSafeHeaders(res)
    sendRefusal(res, refusal ?? badPath)
    return "answered"
  }
  if (isPage(url.pathname)) {
    if (isPublicPage(url.pathname) || isSignedIn(req, deps.auth)) return "page"
    refusePage(req, res, url)
    return "answered"
  }
  setSafeHeaders(res)
  await serveApi(deps, req, res, url)
  return "answered"
}

async function serveApi(deps: Service, req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
  const path = url.pathname
  const origin = `http://${req.headers.host}`
  if (path === "/api/health") return sendJson(res, 200, { status: "ok", version: deps.version })
  if (path === "/api/login" && req.method === "POST") return serveLogin(deps.auth, req, res)
  if (path.startsWith("/api/share/")) return serveShare(deps.runtime, res, url)
  if (path.startsWith("/v1/")) return serveV1(deps, req, res, url)
  if (!isSignedIn(req, deps.auth)) return sendRefusal(res, notSignedIn)
  if (path.startsWith("/api/trpc/")) return serveTrpc(deps, req, res, { path: path.slice(10), origin })
  if (path === "/api/logout" && req.method === "POST") return serveLogout(deps.auth, req, res)
  if (path === "/api/login-code" && req.method === "POST") return serveLoginCode(deps.auth, origin, res)
  if (path === "/api/tokens" || path.startsWith("/api/tokens/")) return serveTokens(deps.tenants, req, res, url)
  if (path === "/api/tenants" || path.startsWith("/api/tenants/")) return serveTenants(deps.tenants, req, res, url)
  const sessionID = todoPath.exec(path)?.[1]
  if (sessionID === undefined) return sendRefusal(res, notFound)
  sendJsonText(res, 200, deps.listText(await deps.runtime.todo.list(sessionID)))
}

function serveTrpc(
  { runtime, log }: ApiDeps,
  req: IncomingMessage,
  res: ServerResponse,
  { path, origin }: { path: string; origin: string },
): Promise<void> {
  return nodeHTTPRequestHandler({
    router: appRouter,
    req,
    res,
    path,
    maxBodySize: maxBodyBytes,
    createContext: async () => ({ runtime, origin }),
    onError: ({ error, path: procedure }) => {
      if (isBug(error) && !isHangUp(error, res)) log(`${procedure ?? "request"} failed`, error.cause ?? error)
    },
  })
}

function isBug(error: { code: string; cause?: unknown }): boolean {
  return error.code === "INTERNAL_SERVER_ERROR" && !isDocketError(error.cause)
}

/** Who waited for a turn is gone, so that waiting ended with the call: nothing failed. */
function isHangUp({ cause }: { cause?: unknown }, res: ServerResponse): boolean {
  return res.destroyed && cause instanceof DOMException && cause.name === "AbortError"
}

const notSignedIn = {
  status: 401,
  code: "UNAUTHORIZED",
  message: "sign in: open a login link in the browser, or send the token of the token file as a bearer token",
} as const

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

/** Session ids have one form; a path with anything else in that place is a page. */
const todoPath = /^\/session\/(ses_[0-9A-Za-z]{26})\/todo$/

function isPage(path: string): boolean {
  return path !== "/api" && !path.startsWith("/api/") && !path.startsWith("/v1/") && !todoPath.test(path)
}

const publicFiles = new Set(["/login", "/favicon.ico", "/icon.svg", "/robots.txt"])

function isPublicPage(path: string): boolean {
  return publicFiles.has(path) || path.startsWith("/_next/static/") || path.startsWith("/share/")
}

const badPath = { status: 400, code: "BAD_REQUEST", message: "the address is not in its plain form" } as const

/** Null unless the path is in its plain form, so that this check and the web app read it alike. */
function requestUrl(req: IncomingMessage): URL | null {
  const raw = req.url ?? ""
  if (!raw.startsWith("/") || raw.startsWith("//")) return null
  const url = new URL(raw, "http://localhost")
  return url.pathname === raw.split("?")[0] ? url : null
}
