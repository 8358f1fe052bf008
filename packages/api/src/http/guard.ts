import type { IncomingMessage } from "node:http"
import { isLinkPage, passName } from "../public/share-pass.ts"
import { crossSite, lacksToken } from "./app-origin.ts"
import { bodyTooLarge, maxBodyBytes } from "./body-limit.ts"
import type { Ingress } from "./ingress.ts"
import { importPath, isForPrograms } from "./paths.ts"
import type { Refusal } from "./refusal.ts"
import { notSignedIn } from "./respond.ts"

export interface GuardOptions {
  ingress: Ingress
}

/**
 * The checks that do not depend on the caller: how the request came, its host, the site it comes from, the method, the
 * content type and the size. Null when all pass. Order and rules are those of Go's CrossOriginProtection (1.25), and
 * JSON only: a form cannot send JSON without a preflight, which only pages of allowed origins pass. The routes for
 * programs check methods and bodies themselves.
 * @param app the allowed origin that the request comes from, or null: see `findAppOrigin`
 */
export function guardRequest(
  req: IncomingMessage,
  path: string,
  { ingress, app }: GuardOptions & { app: string | null },
): Refusal | null {
  if (hasTwoHosts(req)) return twoHosts
  const refusal = ingress.refuse(req)
  if (refusal !== null) return refusal
  if (app === null && isCrossSite(req, path, ingress)) return crossSite
  if (isFromNowhere(req, path, ingress)) return fromNowhere
  if (app !== null && req.method === "OPTIONS") return null
  if (app !== null && lacksToken(req, path)) return notSignedIn
  // Only a token counts there, and no other site can make a browser send one.
  if (isForPrograms(path)) return null
  const { method = "" } = req
  if (method !== "GET" && method !== "HEAD" && method !== "POST") {
    return { status: 405, code: "METHOD_NOT_SUPPORTED", message: `${method} is not supported, use GET or POST` }
  }
  if (method === "POST" && !isExpectedType(req.headers["content-type"] ?? "", path)) {
    return { status: 415, code: "UNSUPPORTED_MEDIA_TYPE", message: "send application/json" }
  }
  if (path !== importPath && Number(req.headers["content-length"] ?? 0) > maxBodyBytes) return bodyTooLarge
  return null
}

/** Refused, since a proxy in front may have used the other Host than this service (RFC 9112, 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") hosts += 1
  return hosts > 1
}

const twoHosts: Refusal = { status: 400, code: "BAD_REQUEST", message: "the request has more than one Host header" }

/** A form sends the password of a link, so that it works without scripts. It opens nothing but the link. */
function isExpectedType(type: string, path: string): boolean {
  if (isLinkPage(path)) return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)
  // An import may be sent as bytes: a form cannot send this type either.
  if (path === importPath) return /^application\/(json|octet-stream)\s*(;|$)/i.test(type)
  return /^application\/json\s*(;|$)/i.test(type)
}

/** Every browser names the origin of a POST. With a cookie and without an origin, it may come from any site. */
function isFromNowhere({ method, headers }: IncomingMessage, path: string, ingress: Ingress): boolean {
  const { cookie, authorization, origin } = headers
  const isByCookieAlone = cookie !== undefined && authorization === undefined
  if (method !== "POST" || !isByCookieAlone) return false
  // The pass of one link opens nothing of another link.
  if (isLinkPage(path) && cookie.split(";").every((pair) => pair.trim().startsWith(`${passName(ingress)}=`)))
    return false
  return origin === undefined && headers["sec-fetch-site"] === undefined
}

const fromNowhere: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message:
    "This request does not say which site it comes from. Send the header Origin, or a token instead of the cookie.",
}

function isCrossSite(req: IncomingMessage, path: string, ingress: Ingress): boolean {
  const site = req.headers["sec-fetch-site"]
  if (site === "same-origin" || site === "none") return false
  // A link on another site may open a page, since that changes nothing. The cookie comes along in a team
  // (SameSite=Lax), and not without one (Strict).
  const opensPage = req.method === "GET" && req.headers["sec-fetch-mode"] === "navigate"
  if (opensPage && req.headers["sec-fetch-dest"] === "document" && !path.startsWith("/api/")) return false
  // The page itself says which sites may frame it.
  if (opensPage && req.headers["sec-fetch-dest"] === "iframe" && path.startsWith("/embed/")) return false
  if (site !== undefined) return true
  const { origin } = req.headers
  return origin !== undefined && origin !== ingress.originOf(req)
}
