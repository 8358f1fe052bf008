import type { IncomingMessage, ServerResponse } from "node:http"
import type { ShareReader } from "@docket/api"
import { expect, it } from "vitest"
import { hideForwarding, pageFacts, setPageHeaders } from "./page-headers.ts"

const ingress = { originOf: () => "https://docket.example.org", isExposed: false }
const site = "https://wiki.example.org"

/** One link works, and may be indexed and embedded. */
const shares = {
  facts: async ({ secret }: { secret: string }) => (secret === "live" ? { indexed: true, embedSites: [site] } : null),
} as unknown as ShareReader

async function headersOf(url: string): Promise<Record<string, string>> {
  // Only the fields that are used.
  const req = { url, headers: {} } as IncomingMessage
  const headers: Record<string, string> = {}
  const res = {
    setHeader: (name: string, value: string) => Object.assign(headers, { [name]: value }),
  } as unknown as ServerResponse
  setPageHeaders(req, res, { ...(await pageFacts(shares, req)), ingress })
  return headers
}

const framing = async (url: string) =>
  /frame-ancestors (.*)$/.exec((await headersOf(url))["content-security-policy"] ?? "")?.[1]

it("chosen sites may frame only the embed page of a link", async () => {
  expect(await framing("/embed/live?x=1")).toBe(site)
  for (const url of [
    "/",
    "/s/ses_1",
    "/login",
    "/share/live",
    "/share/live/c/ses_1",
    "/embed/dead",
    "/embed/",
    "/embedded/live",
  ])
    expect(`${url} ${await framing(url)}`).toBe(`${url} 'none'`)
})

it("search engines list only links with the owner's consent; referrers stay private", async () => {
  const robots = async (url: string) => (await headersOf(url))["x-robots-tag"]
  expect([await robots("/share/live"), await robots("/share/live/p/prt_1")]).toEqual([undefined, undefined])
  expect([await robots("/share/dead"), await robots("/embed/dead")]).toEqual(["noindex, nofollow", "noindex, nofollow"])
  for (const url of ["/share/live", "/share/dead", "/embed/live"])
    expect((await headersOf(url))["referrer-policy"]).toBe("same-origin")
})

it("a page loads pictures and scripts only from this service", async () => {
  const policy = (await headersOf("/embed/live"))["content-security-policy"]
  expect(policy).toContain("img-src 'self' data:")
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]+'; /)
})

async function sentOn(sent: Record<string, string>): Promise<IncomingMessage["headers"]> {
  // Only the fields that are used.
  const req = { url: "/s/ses_1", headers: { ...sent } } as unknown as IncomingMessage
  const res = { setHeader: () => {} } as unknown as ServerResponse
  setPageHeaders(req, res, { ...(await pageFacts(shares, req)), ingress })
  return req.headers
}

it("a page learns reliably whether it was requested as a full document", async () => {
  expect(await sentOn({})).toMatchObject({ "x-docket-document": "1" })
  expect(await sentOn({ "x-docket-document": "0" })).toMatchObject({ "x-docket-document": "1" })
  expect(await sentOn({ rsc: "1", "x-docket-document": "1" })).toMatchObject({ "x-docket-document": "0" })
})

it("a page gets the service's address regardless of client or proxy headers", async () => {
  const claims = {
    "x-docket-origin": "https://evil.example",
    "x-docket-exposed": "1",
    "x-forwarded-host": "evil.example",
  }
  const headers = await sentOn({ ...claims, forwarded: "host=evil.example", "x-real-ip": "1.2.3.4", host: "a" })
  expect(headers).toMatchObject({ "x-docket-origin": "https://docket.example.org", "x-docket-exposed": "0" })
  // The forwarded headers are hidden only now, because the compression of an answer depends on them.
  hideForwarding({ headers } as IncomingMessage)
  for (const name of ["x-forwarded-host", "forwarded", "x-real-ip"]) expect(headers[name]).toBeUndefined()
  expect(headers.host).toBe("a")
})

it("a page accepts no nonce or internal header from clients", async () => {
  const { "x-nonce": nonce, ...headers } = await sentOn({ "x-nonce": "mine", "x-middleware-rewrite": "/share/x" })
  expect(nonce).not.toBe("mine")
  expect(headers["content-security-policy"]).toContain(`'nonce-${nonce}'`)
  expect(headers["x-middleware-rewrite"]).toBeUndefined()
})
