import type { IncomingMessage } from "node:http"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { publicIngress } from "./public-ingress.ts"
import { trustedProxies } from "./trusted-proxies.ts"

const url = "https://docket.example.org"
const proxied = { host: "docket.example.org", "x-forwarded-proto": "https" }

const ingress = publicIngress({
  url,
  isTrustedProxy: trustedProxies(["10.0.0.7", "192.168.4.0/24", "2001:db8::/48"]),
  isOwnHost: (host) => host === "127.0.0.1:4180",
  isExposed: false,
})

interface Way {
  /** Address of the other end of the connection. */
  peer?: string
  /** Address of this machine at which it connected. */
  at?: string
  tls?: boolean
  headers?: Record<string, string | string[]>
}

/** Only the fields that an ingress reads. */
function request({ peer = "10.0.0.7", at = "10.0.0.1", tls = false, headers = {} }: Way): IncomingMessage {
  const socket = { remoteAddress: peer, localAddress: at, ...(tls && { encrypted: true }) }
  return { socket, headers } as unknown as IncomingMessage
}

const addressOf = (forwarded: string | undefined, peer?: string) =>
  ingress.addressOf(
    request({ ...(peer && { peer }), headers: { ...proxied, ...(forwarded && { "x-forwarded-for": forwarded }) } }),
  )
const refused = (way: Way) => ingress.refuse(request(way))?.status ?? null

describe("the address of a client", () => {
  it.each([
    ["the client's address", "203.0.113.9", "203.0.113.9"],
    ["an address that the client invented before it", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
    ["the addresses of an invention, a client and a second proxy", "1.1.1.1, 203.0.113.9, 192.168.4.3", "203.0.113.9"],
    ["a proxy's address that the client invented", "192.168.4.3, 203.0.113.9", "203.0.113.9"],
    ["only addresses of proxies", "192.168.4.3, 192.168.4.4", "192.168.4.3"],
    ["a word that is no address", "unknown", "10.0.0.7"],
    ["an unvouched address before text that is no address", "203.0.113.9, <script>", "10.0.0.7"],
    ["an IPv4 address in IPv6", "::ffff:203.0.113.9", "203.0.113.9"],
    ["an IPv6 address", "2001:db9::1, 2001:db8:0:1::2", "2001:db9::1"],
    ["nothing", undefined, "10.0.0.7"],
  ])("is found when a trusted proxy sends %s", (_, forwarded, client) => {
    expect(addressOf(forwarded)).toBe(client)
  })

  it.each(["203.0.113.9", "10.0.0.8", "::1"])(
    "is the connection's when %s, no trusted proxy, sends headers",
    (peer) => {
      expect(addressOf("127.0.0.1, 10.0.0.7", peer)).toBe(peer)
    },
  )

  it("is never what a client wrote, however long its list", () => {
    const made = fc.array(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        fc.string().map((text) => text.replaceAll(",", "")),
      ),
    )
    fc.assert(
      fc.property(made, (list) => {
        expect(addressOf([...list, "203.0.113.9"].join(", "))).toBe("203.0.113.9")
      }),
    )
  })
})

describe("a request", () => {
  it("is served over TLS, directly or through a trusted proxy", () => {
    expect(refused({ peer: "203.0.113.9", tls: true, headers: { host: "docket.example.org" } })).toBeNull()
    expect(refused({ headers: proxied })).toBeNull()
    expect(refused({ headers: { ...proxied, host: "Docket.Example.org:443" } })).toBeNull()
  })

  it.each([
    ["past the proxy", { peer: "203.0.113.9", headers: { host: "docket.example.org" } }],
    ["past the proxy with its headers", { peer: "203.0.113.9", headers: proxied }],
    ["that a proxy received over plain HTTP", { headers: { ...proxied, "x-forwarded-proto": "http" } }],
    ["with an invented scheme before the proxy's", { headers: { ...proxied, "x-forwarded-proto": "https, http" } }],
    ["of a proxy that names no scheme", { headers: { host: "docket.example.org" } }],
  ])("%s is refused", (_, way) => {
    expect(refused(way)).toBe(403)
  })

  it.each([
    "evil.example",
    "docket.example.org.",
    "docket.example.org:80",
    "docket.example.org:4180",
    "x.docket.example.org",
    "docket.example.org@evil.example",
    "127.0.0.1",
    "127.0.0.1:4180",
    "",
  ])("with Host %j is refused", (host) => {
    expect(refused({ headers: { ...proxied, host } })).toBe(421)
    expect(refused({ peer: "203.0.113.9", tls: true, headers: { host } })).toBe(421)
    expect(refused({ headers: { ...proxied, host, "x-forwarded-host": "docket.example.org" } })).toBe(421)
  })

  it("from this machine is served unless a proxy forwards it", () => {
    const headers = { host: "127.0.0.1:4180" }
    expect(refused({ peer: "127.0.0.1", at: "127.0.0.1", headers })).toBeNull()
    expect(refused({ peer: "10.0.0.1", headers })).toBeNull()
    expect(refused({ peer: "203.0.113.9", headers })).toBe(421)
    expect(refused({ peer: "127.0.0.1", headers: { ...headers, "x-forwarded-for": "203.0.113.9" } })).toBe(421)
  })
})

it("makes links with the configured address, whatever the request names", () => {
  const headers = { host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" }
  expect(ingress.originOf(request({ headers }))).toBe(url)
})
