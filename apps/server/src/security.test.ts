import { stat } from "node:fs/promises"
import path from "node:path"
import { appRouter } from "@docket/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parseOptions } from "./options.ts"
import { sessionID, shareSecret } from "./test/fake-runtime.ts"
import { startTestService, type TestService } from "./test/start-test-service.ts"

const json = { "content-type": "application/json" }
let service: TestService
let bearer: Record<string, string>

beforeAll(async () => {
  service = await startTestService()
  bearer = { authorization: `Bearer ${service.token}` }
})
afterAll(() => service.remove())

/** Every procedure and every plain route that needs a login. */
function routes(): { path: string; method: string }[] {
  const procedures = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
    // The flat record is typed like the nested routers, but it contains procedures.
    const { type } = (procedure as unknown as { _def: { type: string } })._def
    return { path: `/api/trpc/${name}`, method: type === "mutation" ? "POST" : "GET" }
  })
  return [
    ...procedures,
    { path: "/api/trpc/session.list,project.list?batch=1", method: "GET" },
    { path: `/session/${sessionID}/todo`, method: "GET" },
    { path: "/api/logout", method: "POST" },
    { path: "/api/login-code", method: "POST" },
    { path: "/api/tokens", method: "GET" },
    { path: "/api/tokens", method: "POST" },
    { path: "/api/tokens/revoke", method: "POST" },
    { path: "/api/tenants", method: "GET" },
    { path: "/api/tenants/remove", method: "POST" },
    { path: "/api/nothing", method: "GET" },
    { path: "/", method: "GET" },
    { path: `/session/${sessionID}`, method: "GET" },
    { path: "/settings", method: "GET" },
    { path: "/_next/image?url=%2Fx&w=64&q=75", method: "GET" },
  ]
}

describe("without a login", () => {
  it("more than 40 routes are tried", () => {
    expect(routes().length).toBeGreaterThan(40)
  })

  it.each([
    ["no token", {}],
    ["a wrong token", { authorization: `Bearer ${"A".repeat(43)}` }],
    ["a token of another length", { authorization: "Bearer x" }],
    ["an empty token", { authorization: "Bearer " }],
    ["another scheme", { authorization: "Basic eDp5" }],
    ["an unknown cookie", { cookie: "docket_00000000=abc; docket=1", "sec-fetch-site": "same-origin" }],
  ])("every route answers 401 to %s", async (_, headers) => {
    const before = service.runtime.calls.length
    for (const { path: route, method } of routes()) {
      const { status, body } = await service.call(route, { method, headers: { ...json, ...headers } })
      expect(`${method} ${route} ${status}`).toBe(`${method} ${route} 401`)
      expect(JSON.parse(body).error.data.code).toBe("UNAUTHORIZED")
    }
    expect(service.runtime.calls.length).toBe(before)
  })

  it("a browser gets the login page, which remembers the requested page", async () => {
    const { status, headers } = await service.call("/session/x?a=1", { headers: { accept: "text/html" } })
    expect(status).toBe(302)
    expect(headers.location).toBe("/login?next=%2Fsession%2Fx%3Fa%3D1")
  })

  it("the health check answers", async () => {
    expect((await service.call("/api/health")).status).toBe(200)
  })

  it.each(["//evil/", "/share/../settings", "/share/%2e%2e/settings", "/_next/static/../../settings", "/share\\..\\x"])(
    "%s is not served as a public page",
    async (route) => {
      expect((await service.call(route)).status).toBe(400)
    },
  )
})

describe("another site", () => {
  it.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
  ])("is refused with 403: %o", async (site) => {
    const headers = { ...json, ...bearer, ...site }
    const post = await service.call("/api/trpc/provider.refresh", { method: "POST", headers })
    const stream = await service.call(`/api/trpc/event.subscribe?input={"rootID":"${sessionID}"}`, { headers })
    const health = await service.call("/api/health", { headers })
    const login = await service.call("/api/login", { method: "POST", headers, body: '{"code":"x"}' })
    expect([post.status, stream.status, health.status, login.status]).toEqual([403, 403, 403, 403])
    expect(post.headers["access-control-allow-origin"]).toBeUndefined()
  })

  it("may open a page by a link but not call the API", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
    expect((await service.call("/", { headers: { ...headers, accept: "text/html" } })).status).toBe(302)
    expect((await service.call(`/session/${sessionID}/todo`, { headers })).status).toBe(401)
    expect((await service.call("/api/health", { headers })).status).toBe(403)
  })

  it("is refused when a POST with a cookie names no origin", async () => {
    const cookie = "docket_session=whatever"
    const post = (headers: Record<string, string>) =>
      service.call("/api/trpc/provider.refresh", { method: "POST", headers: { ...json, ...headers }, body: "{}" })
    const refused = await post({ cookie })
    expect([refused.status, JSON.parse(refused.body).error.message]).toEqual([
      403,
      expect.stringContaining("Send the header Origin, or a token instead of the cookie"),
    ])
    expect(
      (await service.call("/api/login", { method: "POST", headers: { ...json, cookie }, body: "{}" })).status,
    ).toBe(403)
    // Programs send a token; browsers must send their origin.
    expect((await post({ cookie, ...bearer })).status).toBe(200)
    expect((await post(bearer)).status).toBe(200)
    expect((await post({ cookie, origin: service.url })).status).toBe(401)
    expect((await post({ cookie, "sec-fetch-site": "same-origin" })).status).toBe(401)
  })

  it("gets no answer to a preflight", async () => {
    const { status, headers } = await service.call("/api/trpc/session.list", { method: "OPTIONS", headers: bearer })
    expect(status).toBe(405)
    expect(headers["access-control-allow-origin"]).toBeUndefined()
  })

  it.each(["evil.example", "0.0.0.0", "127.0.0.1:1", "localhost.evil.example", "[::]"])(
    "that rebinds the name %s gets 421",
    async (host) => {
      expect((await service.call("/api/health", { headers: { host } })).status).toBe(421)
      expect((await service.call("/login", { headers: { host } })).status).toBe(421)
    },
  )
})

describe("with the token", () => {
  it("requests of the same origin and of programs are served", async () => {
    const port = new URL(service.url).port
    for (const headers of [
      {},
      { "sec-fetch-site": "same-origin" },
      { origin: service.url },
      { host: `localhost:${port}` },
    ]) {
      expect((await service.call("/api/trpc/project.list", { headers: { ...bearer, ...headers } })).status).toBe(200)
    }
  })

  it.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "application/jsonx",
    "",
  ])("a body of type %j is refused", async (type) => {
    const headers = { ...bearer, ...(type && { "content-type": type }) }
    const { status } = await service.call("/api/trpc/provider.refresh", { method: "POST", headers, body: "{}" })
    expect(status).toBe(415)
  })

  it("a body that is too large is refused, announced or not", async () => {
    const body = JSON.stringify({ providerID: "x", key: "k".repeat(5 * 1024 * 1024) })
    for (const length of [{ "content-length": String(body.length) }, { "transfer-encoding": "chunked" }]) {
      const headers = { ...json, ...bearer, ...length }
      const { status, body: text } = await service.call("/api/trpc/provider.saveKey", { method: "POST", headers, body })
      expect(status).toBe(413)
      expect(text).toContain("larger than 4 MiB")
    }
  })

  it("internals of an unexpected failure appear only in the log", async () => {
    const { status, body } = await service.call("/api/trpc/provider.defaultModel?input={}", { headers: bearer })
    expect(status).toBe(500)
    expect(JSON.parse(body).error.message).toBe("internal error")
    expect(body).not.toContain("secret internals")
    expect(service.logged.join()).toContain("secret internals")
  })

  it("expected failures are answered with their code", async () => {
    const input = encodeURIComponent(JSON.stringify({ sessionID: sessionID.replace("A", "B") }))
    const { status, body } = await service.call(`/api/trpc/session.get?input=${input}`, { headers: bearer })
    expect(status).toBe(404)
    expect(JSON.parse(body).error.data.docketCode).toBe("session_not_found")
    const plain = await service.call(`/session/${sessionID.replace("A", "B")}/todo`, { headers: bearer })
    expect(plain.status).toBe(404)
    const invalid = await service.call(`/api/trpc/session.get?input={}`, { headers: bearer })
    expect(invalid.status).toBe(400)
    expect(JSON.parse(invalid.body).error.data.docketCode).toBe("invalid_input")
  })
})

describe("a login link", () => {
  const redeem = (code: string, headers = {}) =>
    service.call("/api/login", { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify({ code }) })

  it("works once, and its cookie until logout", async () => {
    const code = new URL(service.loginUrl).hash.slice(1)
    const first = await redeem(code)
    expect(first.status).toBe(200)
    const [setCookie] = first.headers["set-cookie"] as string[]
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/)
    expect((await redeem(code)).status).toBe(401)

    const cookie = { cookie: `theme=dark; ${setCookie?.split(";")[0]}` }
    expect((await service.call("/api/trpc/project.list", { headers: cookie })).status).toBe(200)
    const wrongToken = { ...cookie, authorization: "Bearer wrong" }
    expect((await service.call("/api/trpc/project.list", { headers: wrongToken })).status).toBe(401)
    expect(
      (await service.call("/api/logout", { method: "POST", headers: { ...json, ...cookie, origin: service.url } }))
        .status,
    ).toBe(200)
    expect((await service.call("/api/trpc/project.list", { headers: cookie })).status).toBe(401)
  })

  it("can be renewed by signed-in people", async () => {
    const { body } = await service.call("/api/login-code", { method: "POST", headers: { ...json, ...bearer } })
    const { loginUrl } = JSON.parse(body)
    expect(loginUrl.startsWith(`${service.url}/login#`)).toBe(true)
    expect((await redeem(new URL(loginUrl).hash.slice(1))).status).toBe(200)
  })

  it.each(["", "x", "A".repeat(43)])("that was guessed (%j) is refused", async (code) => {
    expect([400, 401]).toContain((await redeem(code)).status)
  })
})

describe("a share link", () => {
  const lookUps = () => service.runtime.calls.filter((name) => name === "share.resolve").length
  const delta = {
    type: "message.part.delta",
    rootID: sessionID,
    seq: null,
    properties: { sessionID, messageID: "msg", partID: "prt", offset: 0, text: "x" },
  } as const
  const deadSecrets = [
    "",
    "x",
    "A".repeat(22),
    `${shareSecret}/`,
    `${shareSecret}/x`,
    `${shareSecret}/session/${sessionID}/x`,
  ]

  it("shows the tree without what concerns only its owner", async () => {
    const { status, body, headers } = await service.call(`/api/share/${shareSecret}`)
    expect(status).toBe(200)
    const { tree, share } = JSON.parse(body)
    expect(tree.sessions[0].directory).toBe("demo")
    expect(tree.sessions[0].permission).toEqual([])
    for (const own of ["secretHash", "by", "decisions", "left"]) expect(share[own]).toBeUndefined()
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" })
    expect(headers["x-robots-tag"]).toContain("noindex")
  })

  it("is looked up once per stream, however many events follow", async () => {
    const before = lookUps()
    const stop = new AbortController()
    const stream = await fetch(`${service.url}/api/share/${shareSecret}/events?since=5`, { signal: stop.signal })
    const texts = Array.from({ length: 200 }, (_, offset) => ({
      ...delta,
      properties: { ...delta.properties, offset },
    }))
    for (const text of texts) service.runtime.emit(text)
    let seen = ""
    for await (const chunk of stream.body ?? []) {
      seen += Buffer.from(chunk).toString()
      if (seen.includes('"offset":199')) break
    }
    expect(lookUps() - before).toBe(1)
    stop.abort()
  })

  it("answers HEAD of its stream at once, without following anything", async () => {
    const { status, body } = await service.call(`/api/share/${shareSecret}/events`, { method: "HEAD" })
    expect([status, body]).toEqual([200, ""])
  })

  it("answers the same 404 everywhere when dead, and its stream ends", async () => {
    const answers = new Set<string>()
    for (const secret of deadSecrets) {
      const { status, body } = await service.call(`/api/share/${secret}`)
      expect(status).toBe(404)
      answers.add(body)
    }
    const stream = await fetch(`${service.url}/api/share/${shareSecret}/events?since=5`)
    expect(stream.status).toBe(200)
    await service.runtime.share.revoke({ shareID: "any" })
    service.runtime.emit({
      type: "session.deleted",
      properties: { sessionID },
      rootID: sessionID,
      seq: 6,
    })
    const text = await stream.text()
    expect(text).toContain("event: revoked")
    expect(text).not.toContain("session.deleted")
    for (const route of ["", "/events", `/session/${sessionID}`]) {
      const { status, body } = await service.call(`/api/share/${shareSecret}${route}`)
      expect(status).toBe(404)
      answers.add(body)
    }
    expect(answers.size).toBe(1)
  })
})

describe("the data directory", () => {
  it("and its secrets are readable only by the owner", async () => {
    expect((await stat(service.data)).mode & 0o777).toBe(0o700)
    for (const file of ["token", "logins.json", "lock.json"]) {
      expect((await stat(path.join(service.data, file))).mode & 0o777).toBe(0o600)
    }
  })
})

describe("the address to listen on", () => {
  it.each(["0.0.0.0", "::", "192.168.1.5", "127.0.0.2"])("cannot be %j", (host) => {
    expect(() => parseOptions(["--host", host], "/")).toThrow(expect.objectContaining({ code: "unsafe_bind" }))
  })

  it.each(["127.0.0.1", "localhost", "::1"])("can be %s", (host) => {
    expect(parseOptions(["--host", host], "/").host).toMatch(/^(127\.0\.0\.1|::1)$/)
  })
})
