import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTeamService, type TeamBrowser, type TeamService } from "./team/test/start-team-service.ts"
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

/** The headers of a browser for a request from another site. */
function from(origin: string, headers: Record<string, string> = {}) {
  return { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", ...headers }
}

/** The headers by which a browser asks, before a call from another origin, whether it may make it. */
const preflight = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization,content-type",
}

describe("a page of an allowed origin", () => {
  it("gets a preflight that allows tokens but no browser credentials", async () => {
    const { status, headers, body } = await call("/api/trpc/session.create", {
      method: "OPTIONS",
      headers: from(app, { ...preflight, "access-control-request-private-network": "true" }),
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

  it("is refused with a cookie and can read why", async () => {
    const title = "By a cookie"
    const body = JSON.stringify({ projectID, title })
    const byCookie = { method: "POST", headers: { ...json, cookie, "sec-fetch-site": "same-origin" }, body }
    // From the service's own page the cookie is valid.
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
    "is not served at %s",
    async (path) => {
      const { status, headers } = await call(path, { headers: from(app, bearer) })
      expect([status, headers["access-control-allow-origin"]]).toEqual([403, undefined])
      expect((await call(path, { method: "OPTIONS", headers: from(app, preflight) })).status).toBe(403)
    },
  )

  it("is refused at a host name that is not the service's own", async () => {
    const { status, headers } = await call("/api/health", { headers: from(app, { ...bearer, host: "evil.example" }) })
    expect([status, headers["access-control-allow-origin"]]).toEqual([421, undefined])
  })
})

it.each([ofProject, `${app}.evil.example`, `${app}:8443`, "http://app.example.org", "HTTPS://APP.EXAMPLE.ORG", "null"])(
  "%s is refused, because the user's own file does not name it",
  async (origin) => {
    const asked = await call("/api/trpc/session.create", { method: "OPTIONS", headers: from(origin, preflight) })
    const read = await call("/api/trpc/session.list?input=%7B%7D", { headers: from(origin, bearer) })
    for (const { status, headers } of [asked, read]) {
      expect(status).toBe(403)
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([])
    }
  },
)

describe("with several workspaces, an origin", () => {
  let team: TeamService
  let owner: TeamBrowser
  const theirs = "https://theirs.example.org"
  beforeAll(async () => {
    team = await startTeamService()
    owner = await team.owner()
    await owner.post("/api/trpc/workspace.create", { name: "Globex" })
    const own = path.join(team.data, "workspaces/globex/home/.config/docket")
    await mkdir(own, { recursive: true })
    await writeFile(path.join(own, "docket.json"), JSON.stringify({ api: { origins: [theirs] } }))
  })
  afterAll(() => team.remove())

  async function keyIn(workspace: string) {
    expect((await owner.post("/api/trpc/workspace.switch", { workspace })).status).toBe(200)
    const made = await owner.post("/api/trpc/team.createKey", { name: "page", role: "member" })
    const { result } = (await made.json()) as { result: { data: { key: string } } }
    return { authorization: `Bearer ${result.data.key}` }
  }
  const ask = async (url: string, headers: Record<string, string>) => {
    const answer = await send(team.url, url, { headers: from(theirs, headers) })
    return [answer.status, answer.headers["access-control-allow-origin"]]
  }

  it("calls with keys of the workspace that allows it, no others", async () => {
    const [local, globex] = [await keyIn("local"), await keyIn("globex")]
    for (const url of ["/api/trpc/session.list?input=%7B%7D", "/v1/todos"]) {
      expect(await ask(url, globex)).toEqual([200, theirs])
      expect(await ask(url, local)).toEqual([403, undefined])
      expect(await ask(url, { authorization: `Bearer ${team.token}` })).toEqual([403, undefined])
      expect(await ask(url, { authorization: "Bearer no" })).toEqual([401, theirs])
    }
    const body = JSON.stringify({ input: "Written by a page" })
    const write = { method: "POST", headers: from(theirs, { ...local, ...json }), body }
    expect((await send(team.url, "/v1/todos", write)).status).toBe(403)
    expect((await send(team.url, "/v1/todos", { headers: local })).body).not.toContain("Written by a page")
    const options = { method: "OPTIONS", headers: from(theirs, preflight) }
    expect((await send(team.url, "/v1/todos", options)).status).toBe(204)
  })

  it("is forgotten with the workspace", async () => {
    expect((await owner.post("/api/trpc/workspace.remove", { name: "Globex" })).status).toBe(200)
    const asked = await send(team.url, "/v1/todos", { method: "OPTIONS", headers: from(theirs, preflight) })
    expect([asked.status, asked.headers["access-control-allow-origin"]]).toEqual([403, undefined])
  })
})
