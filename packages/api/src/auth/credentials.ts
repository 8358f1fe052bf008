import type { IncomingMessage } from "node:http"
import type { Auth } from "./auth.ts"

/** The secret in the session cookie, or null. */
export function loginCookie(req: IncomingMessage, cookieName: string): string | null {
  for (const pair of (req.headers.cookie ?? "").split(";")) {
    const at = pair.indexOf("=")
    if (at > 0 && pair.slice(0, at).trim() === cookieName) return pair.slice(at + 1).trim()
  }
  return null
}

/** Whether the request carries the token or a live cookie. A wrong token is refused even with a good cookie. */
export function isSignedIn(req: IncomingMessage, auth: Auth): boolean {
  const { authorization } = req.headers
  if (authorization !== undefined) {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    return token !== undefined && auth.checkToken(token)
  }
  const secret = loginCookie(req, auth.cookieName)
  return secret !== null && auth.checkLogin(secret)
}
