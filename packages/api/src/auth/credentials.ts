import type { IncomingMessage } from "node:http"
import type { Auth } from "./auth.ts"

/** What of a request tells who sent it. */
export interface Credentials {
  headers: Pick<IncomingMessage["headers"], "cookie" | "authorization">
}

/** The secret in the session cookie, or null. */
export function loginCookie(req: Credentials, cookieName: string): string | null {
  return cookieNamed(req.headers.cookie, cookieName)
}

/** What a cookie of this name holds, in the header that has them all; null without one. */
export function cookieNamed(header: string | undefined, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=")
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return null
}

/** The token of `Authorization: Bearer …`, or null. */
export function bearerToken(req: Credentials): string | null {
  return /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? "")?.[1] ?? null
}

/** Whether the request carries the token or a live cookie. A wrong token is refused even with a good cookie. */
export function isSignedIn(req: Credentials, auth: Auth): boolean {
  if (req.headers.authorization !== undefined) {
    const token = bearerToken(req)
    return token !== null && auth.checkToken(token)
  }
  const secret = loginCookie(req, auth.cookieName)
  return secret !== null && auth.checkLogin(secret)
}
