import { readFile } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"
import { type Call, send } from "./test/start-test-service.ts"

const app = "https://app.example.org"
const ofProject = "https://project.example.org"
const json = { "content-type": "application/json" }
let service: OpenedService
let bearer: { authorization: string }
let cookie: string
let projectID: string

beforeAll(async () => {
  service = await startOpenedService({ api: { origins: [ofProject] } }, { api: { origins: [app] } })
  bearer = { authorization: `Bearer ${(await readFile(service.tokenFile, "utf8")).trim()}` }
  const code = service.loginUrl.split("#")[1]
  const login = await call("/api/login", { method: "POST", headers: json, body: JSON.stringify({ code }) })
  cookie = String(login.headers["set-cookie"]).split(";")[0] ?? ""
  projectID = (await service.local.project.list())[0]?.id ?? ""
})
afterAll(() => service.remove())

function call(path: string, options: Call = {}) {
  return send(service.url, path, options)
}

/** As a browser sends it for a page elsewhere. */
function from(origin: string, headers: Record<string, string> = {}) {
  return { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", ...headers }
}

const asking = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization,content-type",
}

describe("a page of an allowed origin", () => {
  it("is told that it may call with a token, and never with what its browser sends by itself", async () => {
    const { status, headers, body } = await call("/api/trpc/session.create", {
      method: "OPTIONS",
      headers: from(app, { ...asking, "access-control-request-private-network": "true" }),
    })
    expect([status, body]).toEqual([204, ""])
    expect(headers).toMatchObject({
      "access-control-allow-origin": app,
      "access-control-allow-headers": "authorization, content-type, idempotency-key, last-event-id",
      "access-control-allow-methods": "GET, POST, PATCH, DELETE",
      "access-control-allow-private-network": "true",
      vary: expect.stringContaining("origin"),
    })
    expect(headers["access-control-allow-credentials"]).toBeUndefined()
  })

  it("calls, reads and subscribes with a token", async () => {
    const made = await call("/api/trpc/session.create", {
      method: "POST",
      headers: from(app, { ...bearer, ...json }),
      body: JSON.stringify({ projectID, title: "From a page" }),
    })
    expect(made.status).toBe(200)
    const { id } = JSON.parse(made.body).result.data
    const input = encodeURIComponent(JSON.stringify({ rootID: id }))
    for (const path of [
      "/api/trpc/session.list?input=%7B%7D",
      `/api/trpc/event.subscribe?input=${input}`,
      "/v1/todos",
      `/session/${id}/todo`,
      `/api/export/${id}`,
      "/api/health",
    ]) {
      const { status, headers } = await call(path, { headers: from(app, bearer) })
      expect([path, status, headers["access-control-allow-origin"]]).toEqual([path, 200, app])
      expect(headers["access-control-allow-credentials"]).toBeUndefined()
    }
  })

  it("opens nothing with a cookie, and reads why", async () => {
    const title = "By a cookie"
    const body = JSON.stringify({ projectID, title })
    const byCookie = { method: "POST", headers: { ...json, cookie }, body }
    expect((await call("/api/trpc/session.create", { ...byCookie, body: JSON.stringify({ projectID }) })).status).toBe(
      200,
    )
    for (const headers of [
      from(app, { ...json, cookie }),
      from(app, { ...json, cookie, authorization: "Bearer no" }),
    ]) {
      const refused = await call("/api/trpc/session.create", { ...byCookie, headers })
      expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([401, app])
      expect((await call("/api/trpc/session.list?input=%7B%7D", { headers })).status).toBe(401)
    }
    const { items } = await service.local.session.list({})
    expect(items.filter(({ session }) => session.title === title)).toEqual([])
  })

  it.each(["/api/login-code", "/api/tokens", "/api/tenants", "/api/share/x", "/", "/docket.schema.json"])(
    "has no business at %s",
    async (path) => {
      const { status, headers } = await call(path, { headers: from(app, bearer) })
      expect([status, headers["access-control-allow-origin"]]).toEqual([403, undefined])
      expect((await call(path, { method: "OPTIONS", headers: from(app, asking) })).status).toBe(403)
    },
  )

  it("reaches no service that was rebound to another name", async () => {
    const { status, headers } = await call("/api/health", { headers: from(app, { ...bearer, host: "evil.example" }) })
    expect([status, headers["access-control-allow-origin"]]).toEqual([421, undefined])
  })
})

it.each([ofProject, `${app}.evil.example`, `${app}:8443`, "http://app.example.org", "HTTPS://APP.EXAMPLE.ORG", "null"])(
  "%s is another origin, which only the user's own file could allow",
  async (origin) => {
    const preflight = await call("/api/trpc/session.create", { method: "OPTIONS", headers: from(origin, asking) })
    const read = await call("/api/trpc/session.list?input=%7B%7D", { headers: from(origin, bearer) })
    for (const { status, headers } of [preflight, read]) {
      expect(status).toBe(403)
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([])
    }
  },
)
