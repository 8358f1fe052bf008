import { isLoopback } from "../ingress/is-loopback.ts"
import type { TeamSettings } from "./team-settings.ts"

/**
 * How a mail server is spoken to. Links that let people in are in what it is sent: anywhere but on this machine it has to
 * speak TLS and to show a certificate for its name, unless the settings say otherwise.
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
    // Else it takes TLS where that is offered, and whoever is in between says that it is not.
    requireTLS: !secure && (requireTls ?? !isNear),
    // A mail program of this machine rarely has a certificate for a name that only this machine knows.
    ...(isNear && requireTls !== true && { tls: { rejectUnauthorized: false } }),
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}
