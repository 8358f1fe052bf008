import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { createGuardedCall, DocketError, type GuardedCall, isPublicAddress } from "@docket/core"
import { z } from "zod"
import type { OidcSettings } from "./provider-settings.ts"

/** The used part of a discovery document (OpenID Connect Discovery 1.0, 3). */
const Discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
})
export type Discovered = z.infer<typeof Discovered>

export interface DiscoveredProvider {
  endpoints: Discovered
  /** Calls the provider; the address of each connection is checked. */
  call: GuardedCall
}

/**
 * Reads the endpoints of an issuer. Without `allowPrivate`, neither the issuer nor its endpoints may be on this machine
 * or in its networks, because others write the document. @throws sign_in_unavailable with the reason
 */
export async function discoverProvider(
  { name, issuer, allowPrivate }: Pick<OidcSettings, "name" | "issuer" | "allowPrivate">,
  signal: AbortSignal,
): Promise<DiscoveredProvider> {
  const call = createGuardedCall(allowPrivate ? { isAllowed: () => true, allowsHTTP: true } : {})
  try {
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
    const endpoints = Discovered.parse(JSON.parse(await call({ url }, signal)))
    if (endpoints.issuer !== issuer) throw new Error(`it says that it is ${endpoints.issuer}, and not ${issuer}.`)
    if (!allowPrivate) for (const url of urlsOf(endpoints)) await requirePublic(url)
    return { endpoints, call }
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? "its discovery document is not complete." : String(cause)
    throw new DocketError("sign_in_unavailable", `${name} cannot be used to sign in now: ${reason}`, { cause })
  }
}

function urlsOf({ issuer: _, ...urls }: Discovered): URL[] {
  return Object.values(urls).flatMap((url) => (url === undefined ? [] : [new URL(url)]))
}

/**
 * An early check, also of the page to which browsers are sent. The service's own calls are checked at each connection.
 */
async function requirePublic({ protocol, hostname }: URL): Promise<void> {
  if (protocol !== "https:") throw new Error(`it names an endpoint without TLS, at ${hostname}.`)
  const host = hostname.replace(/^\[|\]$/g, "")
  const addresses = isIP(host) === 0 ? (await lookup(host, { all: true })).map(({ address }) => address) : [host]
  if (!addresses.every(isPublicAddress)) throw new Error(`it names an endpoint in a private network, at ${hostname}.`)
}
