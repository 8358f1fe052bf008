import { isLoopback } from "../ingress/is-loopback.ts"
import type { TeamSettings } from "./team-settings.ts"

/**
 * Options for the mail server. Mails contain links that let users in, so TLS with a certificate for the server's name
 * is required. Exceptions: a mail server on this machine, and settings that say otherwise.
 */
export function smtpOptions({ url, requireTls }: NonNullable<TeamSettings["smtp"]>) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const host = hostname.replaceAll(/^\[|\]$/g, "").toLowerCase()
  const isNear = host === "localhost" || isLoopback(host)
  const secure = protocol === "smtps:"
  return {
    host,
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // Otherwise TLS would be optional, and someone in between could suppress it.
    requireTLS: !secure && (requireTls ?? !isNear),
    // A mail server on this machine rarely has a certificate for its local name.
    ...(isNear && requireTls !== true && { tls: { rejectUnauthorized: false } }),
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}
