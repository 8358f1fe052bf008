import type { IncomingMessage } from "node:http"

/** The parts of a request that say who sent it. */
export interface Credentials {
  headers: Pick<IncomingMessage["headers"], "cookie" | "authorization">
}

/** The secret in the session cookie, or null. */
export function loginCookie(req: Credentials, cookieName: string): string | null {
  return cookieNamed(req.headers.cookie, cookieName)
}

/** The value of a cookie in the `Cookie` header; null without one. */
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
