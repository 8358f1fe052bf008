import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { Ingress, Refusal } from "@docket/api"
import type { IsTrustedProxy } from "./trusted-proxies.ts"

export interface PublicIngressOptions {
  /** Origin for users, e.g. `https://docket.example.org`. */
  url: string
  isTrustedProxy: IsTrustedProxy
  /** Whether a Host header is one that programs on this machine use, e.g. `127.0.0.1:4180`. */
  isOwnHost(host: string): boolean
  /** Whether the service is reachable over the network without TLS. */
  isExposed: boolean
}

/**
 * The ingress of a team's service with one public address. Links use this address, and only its pages may call.
 * Forwarded headers count only from trusted proxies: in `X-Forwarded-For` the entries that trusted proxies added, in
 * `X-Forwarded-Proto` the entry of the nearest proxy. Host must be the one that the browser sent. Programs on this
 * machine may also connect directly.
 */
export function publicIngress({ url, isTrustedProxy, isOwnHost, isExposed }: PublicIngressOptions): Ingress {
  const { host: publicHost, protocol } = new URL(url)
  const isSecure = protocol === "https:"
  const isProxied = (req: IncomingMessage) => isTrustedProxy(peerOf(req)) && hasForwarded(req)
  return {
    isSecure,
    isExposed,
    originOf: () => url,
    addressOf: (req) => (isProxied(req) ? clientOf(req, isTrustedProxy) : peerOf(req)),
    refuse(req) {
      const host = (req.headers.host ?? "").toLowerCase()
      if (!hasForwarded(req) && isSameMachine(req) && isOwnHost(host)) return null
      if (withoutDefaultPort(host, isSecure) !== publicHost) return unknownHost
      if (!isSecure || isEncrypted(req)) return null
      if (!isTrustedProxy(peerOf(req))) return notByHttps
      const scheme = lastOf(req.headers["x-forwarded-proto"])
      if (scheme === undefined) return noForwardedProto
      return scheme === "https" ? null : notByHttps
    },
  }
}

const unknownHost: Refusal = {
  status: 421,
  code: "BAD_REQUEST",
  message:
    "this service does not answer to that name; a proxy in front of it has to pass the Host header on as it came",
}

const notByHttps: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message: "this service is reached by https:// only, and not past the proxy in front of it",
}

const noForwardedProto: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message: "the proxy in front of this service has to say X-Forwarded-Proto, and to set it itself",
}

/** Address of the other end of the connection. */
function peerOf({ socket }: IncomingMessage): string {
  return plain(socket.remoteAddress ?? "")
}

/** The last address in the header that is not a trusted proxy. Anyone may have written the entries before it. */
function clientOf(req: IncomingMessage, isTrustedProxy: IsTrustedProxy): string {
  let client = peerOf(req)
  for (const entry of listOf(req.headers["x-forwarded-for"]).toReversed()) {
    const address = plain(entry)
    if (isIP(address) === 0) return client
    client = address
    if (!isTrustedProxy(address)) return client
  }
  return client
}

function hasForwarded({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-for"] !== undefined || headers["x-forwarded-proto"] !== undefined
}

function isSameMachine({ socket }: IncomingMessage): boolean {
  const { remoteAddress = "", localAddress } = socket
  return remoteAddress === localAddress || plain(remoteAddress).startsWith("127.")
}

function isEncrypted({ socket }: IncomingMessage): boolean {
  return "encrypted" in socket && socket.encrypted === true
}

/** Removes the IPv6 prefix of an IPv4 address on a dual-stack socket. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "")
}

function withoutDefaultPort(host: string, isSecure: boolean): string {
  return host.replace(isSecure ? /:443$/ : /:80$/, "")
}

function listOf(header: string | string[] | undefined): string[] {
  return [header ?? []].flat().flatMap((text) => text.split(",").map((item) => item.trim()))
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return listOf(header).at(-1)?.toLowerCase()
}
