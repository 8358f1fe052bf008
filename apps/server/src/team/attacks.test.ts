import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { memoryVault } from "@docket/core/test/memory-vault"
import { openSqliteDatabase } from "@docket/db"
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { type Accounts, createAccounts } from "./create-accounts.ts"
import { createPeople } from "./people.ts"
import { readTeamSettings } from "./team-settings.ts"
import { ada, adasSignIn, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

const sessions = "/api/trpc/session.list?input=%7B%7D"
const hour = 60 * 60_000

interface Made {
  result: { data: { id: string } }
}

beforeAll(async () => {
  service = await startTeamService({ limits: { links: { perPerson: 1_000 } } })
  owner = await service.owner()
})
afterAll(() => service.remove())
afterEach(() => void vi.useRealTimers())

/** Moves the clock of the service, which runs in this process; its timers continue. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms })
}

async function secretOf(procedure: string, input: object): Promise<string> {
  const made = (await (await owner.post(`/api/trpc/team.${procedure}`, input)).json()) as {
    result: { data: { url: string } }
  }
  return made.result.data.url.split("#")[1] ?? ""
}

const accept = (secret: string, name: string) =>
  service.browser().post("/api/auth/invitation/accept", { secret, name, password: `${name} has a password` })

async function members(): Promise<{ email: string; person: string; name: string }[]> {
  const { result } = (await (await owner.get("/api/trpc/team.members")).json()) as {
    result: { data: { email: string; person: string; name: string }[] }
  }
  return result.data
}

describe("a link", () => {
  it("for an invitation answers like an unknown one after a week", async () => {
    const secret = await secretOf("invite", { email: "late@example.org", role: "member" })
    later(7 * 24 * hour + 1)
    const answers = await Promise.all([accept(secret, "Late"), accept("x".repeat(43), "Late")])
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(await answers[0]?.text()).toBe(await answers[1]?.text())
    vi.useRealTimers()
    expect((await members()).map(({ email }) => email)).not.toContain("late@example.org")
  })

  it("for a password expires after a day and works for nothing else", async () => {
    const [me] = await members()
    const reset = await secretOf("resetLink", { person: me?.person })
    const invitation = await secretOf("invite", { email: "kind@example.org", role: "member" })
    const password = "another password of ada"
    expect((await service.browser().post("/api/auth/reset", { secret: invitation, password })).status).toBe(404)
    expect((await accept(reset, "Kind")).status).toBe(404)
    expect((await service.browser().post("/api/auth/first-owner", { secret: reset, ...ada })).status).toBe(404)
    later(24 * hour + 1)
    expect((await service.browser().post("/api/auth/reset", { secret: reset, password })).status).toBe(404)
    vi.useRealTimers()
    expect((await service.browser().post("/api/auth/sign-in/email", adasSignIn)).status).toBe(200)
  })
})

it("a sign-in is over after 30 days, used or not", async () => {
  const browser = service.browser()
  await browser.post("/api/auth/sign-in/email", adasSignIn)
  later(29 * 24 * hour)
  expect((await browser.get(sessions)).status).toBe(200)
  later(24 * hour + 10_000)
  expect((await browser.get(sessions)).status).toBe(401)
})

it("mail addresses are one account in any case, not with other dots", async () => {
  expect(
    (await accept(await secretOf("invite", { email: "Grace.Hopper@Example.ORG", role: "member" }), "Grace")).status,
  ).toBe(200)
  const again = await owner.post("/api/trpc/team.invite", { email: "grace.hopper@EXAMPLE.org", role: "member" })
  expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("already_member")])
  expect(
    (await accept(await secretOf("invite", { email: "gracehopper@example.org", role: "viewer" }), "Other")).status,
  ).toBe(200)
  const found = (await members()).filter(({ email }) => email.replaceAll(".", "").startsWith("gracehopper"))
  expect(found.map(({ email, name }) => [email, name])).toEqual([
    ["grace.hopper@example.org", "Grace"],
    ["gracehopper@example.org", "Other"],
  ])
  expect(new Set(found.map(({ person }) => person)).size).toBe(2)
})

it("no site can open a WebSocket", async () => {
  const { port } = new URL(service.url)
  const upgrade = (headers: Record<string, string>) =>
    new Promise<number | string>((resolve) => {
      const call = request({
        port,
        path: "/api/trpc/event.subscribe",
        headers: {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
          cookie: owner.cookie(),
          ...headers,
        },
      })
      call.on("upgrade", () => resolve("opened"))
      call.on("response", (response) => resolve(response.resume().statusCode ?? 0))
      call.on("error", () => resolve("refused"))
      call.end()
    })
  expect(await upgrade({ origin: "https://evil.example" })).toBe(403)
  expect(await upgrade({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "websocket" })).toBe(403)
  expect(await upgrade({ origin: new URL(service.url).origin })).not.toBe("opened")
})

it("a request with two Host headers is refused", async () => {
  const { host, port } = new URL(service.url)
  const ask = (...names: string[]) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1")
      socket.once("error", reject)
      socket.once("data", (chunk) => {
        resolve(chunk.toString().split(" ")[1] ?? "")
        socket.destroy()
      })
      socket.write(`GET /api/health HTTP/1.1\r\n${names.map((name) => `hOsT: ${name}\r\n`).join("")}\r\n`)
    })
  expect(await ask(host)).toBe("200")
  expect([await ask(host, "evil.example"), await ask("evil.example", host), await ask(host, host)]).toEqual([
    "400",
    "400",
    "400",
  ])
})

it("forms, images and scripts of other sites change and read nothing", async () => {
  const strange = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
  const routes = ["/api/auth/sign-out", "/api/auth/change-password", "/api/auth/provider", "/api/auth/device/approve"]
  for (const route of routes) {
    expect([route, (await owner.post(route, {}, strange)).status]).toEqual([route, 403])
    for (const type of ["text/plain", "multipart/form-data", "application/x-www-form-urlencoded"])
      expect([route, type, (await owner.post(route, {}, { "content-type": type })).status]).toEqual([route, type, 415])
  }
  expect(
    (await owner.get("/api/auth/methods", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" })).status,
  ).toBe(403)
  expect((await owner.get(sessions)).status).toBe(200)
})

it("a provider sign-in returns only to pages of this service", async () => {
  const tries = [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/a\\b",
    "/\t/evil",
    "",
  ]
  for (const next of tries)
    expect([next, (await owner.post("/api/auth/provider", { provider: "example", next })).status]).toEqual([next, 400])
})

/** Accounts with their own tables, for a service at this address. */
async function openAccounts(url: string): Promise<Accounts> {
  const data = await mkdtemp(path.join(tmpdir(), "docket-accounts-"))
  const database = await openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
  onTestFinished(async () => {
    await database.close()
    await rm(data, { recursive: true })
  })
  const settings = await readTeamSettings(memoryVault(), { DOCKET_AUTH: "team", DOCKET_URL: url })
  if (settings === null || database.accounts === undefined) throw new Error("no team")
  return createAccounts({
    tables: database.accounts,
    settings,
    secret: "s".repeat(43),
    log: () => undefined,
    beginsIn: () => null,
  })
}

it.each([
  ["https://docket.example.org", "__Host-docket.session_token", true],
  ["http://10.0.0.7:4180", "docket.session_token", false],
])("the cookie at %s is host-only and hidden from scripts", async (url, name, isSecure) => {
  const accounts = await openAccounts(url)
  await createPeople(await accounts.$context).create(ada, true)
  const response = await accounts.api.signInEmail({ body: ada, asResponse: true })
  const [cookie = ""] = response.headers.getSetCookie()
  expect(cookie.split("=")[0]).toBe(name)
  expect(cookie).toMatch(/; HttpOnly/i)
  expect(cookie).toMatch(/; SameSite=Lax/i)
  expect(cookie).toMatch(/; Path=\//i)
  expect(cookie).not.toMatch(/Domain/i)
  expect(/; Secure/i.test(cookie)).toBe(isSecure)
})

it("known and unknown addresses cost the same number of password hashes", async () => {
  const accounts = await openAccounts("https://docket.example.org")
  const context = await accounts.$context
  const people = createPeople(context)
  await people.create(ada, true)
  let hashed = 0
  const { hash, verify } = context.password
  const counting = {
    hash: (password: string) => {
      hashed += 1
      return hash(password)
    },
    verify: (given: { hash: string; password: string }) => {
      hashed += 1
      return verify(given)
    },
  }
  Object.assign(context.password, counting)
  const workOf = async (work: () => Promise<unknown>) => {
    hashed = 0
    await work().catch(() => undefined)
    return hashed
  }
  const signIn = (email: string) => () => accounts.api.signInEmail({ body: { email, password: "wrong password" } })
  expect([await workOf(signIn(ada.email)), await workOf(signIn("nobody@example.org"))]).toEqual([1, 1])
  const check = (id: string) => () => createPeople(context).hasPassword(id, "wrong password")
  const known = (await people.byEmail(ada.email))?.id ?? ""
  expect([await workOf(check(known)), await workOf(check("nobody"))]).toEqual([1, 1])
})

it("names with line breaks or direction marks are refused everywhere", async () => {
  const secret = await secretOf("invite", { email: "odd@example.org", role: "viewer" })
  for (const name of ["two\nlines", "\u202Eevil", "\u001b[31mred", "\u200B", "A\uFEFFda"]) {
    expect([name, (await accept(secret, name)).status]).toEqual([name, 400])
    const tries: [string, object][] = [
      ["team.createKey", { name, role: "viewer" }],
      ["workspace.rename", { name }],
      ["workspace.create", { name }],
      ["webhook.create", { name, url: "https://hooks.example.org/x", events: ["session.idle"] }],
    ]
    for (const [procedure, input] of tries) {
      const refused = await owner.post(`/api/trpc/${procedure}`, input)
      expect([name, procedure, refused.status]).toEqual([name, procedure, 400])
      expect(await refused.text()).toMatch(/on one line, in characters that are seen/)
    }
    const token = { tenant: "robots", name }
    const asService = { authorization: `Bearer ${service.token}` }
    expect((await service.browser().post("/api/tokens", token, asService)).status).toBe(400)
  }
  expect((await accept(secret, "Odd <script>")).status).toBe(200)
})

it("the number of open invitations per workspace is limited", async () => {
  const { id } = ((await (await owner.post("/api/trpc/workspace.create", { name: "Doors" })).json()) as Made).result
    .data
  await owner.post("/api/trpc/workspace.switch", { workspace: id })
  const invite = async (email: string) => (await owner.post("/api/trpc/team.invite", { email, role: "viewer" })).status
  const addresses = Array.from({ length: 500 }, (_, at) => `door${at}@example.org`)
  expect(new Set(await Promise.all(addresses.map(invite)))).toEqual(new Set([200]))
  const more = await owner.post("/api/trpc/team.invite", { email: "one@example.org", role: "viewer" })
  expect([more.status, await more.text()]).toEqual([400, expect.stringContaining("500 invitations wait")])
  // An invitation that replaces another one counts once.
  expect(await invite("door0@example.org")).toBe(200)
  await owner.post("/api/trpc/workspace.switch", { workspace: "local" })
  expect(await invite("one@example.org")).toBe(200)
})

it("failed sign-ins write little into the audit log, without query text", async () => {
  const long = "q".repeat(5_000)
  const browser = service.browser()
  const wrong = { email: "ada@example.org", password: "not the password" }
  await browser.post(`/api/auth/sign-in/email?${long}&password=hunter2`, wrong)
  const { result } = (await (await owner.get("/api/trpc/audit.list?input=%7B%22limit%22%3A1%7D")).json()) as {
    result: { data: { items: { act: string; call: string }[] } }
  }
  expect(result.data.items).toMatchObject([{ act: "sign-in.failed", call: "POST /api/auth/sign-in/email" }])
  expect((await browser.post("/api/auth/sign-in/email", adasSignIn, { "user-agent": `evil ${long}` })).status).toBe(200)
  const signIns = await (await browser.get("/api/trpc/team.signIns")).text()
  expect(signIns).not.toContain("q".repeat(500))
})

it("a trusted project cannot read the service's token or variables", async () => {
  const file = path.join(service.project, "docket.json")
  const prompt = `{file:${path.join(service.data, "token")}} {env:PATH}`
  await writeFile(file, JSON.stringify({ agent: { spy: { description: "Spies.", prompt } } }))
  onTestFinished(() => rm(file))
  const read = async <T>(name: string, input?: object) => (await callProcedure(owner, name, input)).data as T
  const [project] = await read<{ id: string }[]>("project.list")
  const projectID = project?.id
  interface Report {
    trust: { hash: string; state: string }
    problems: { message: string }[]
  }
  const { trust } = await read<Report>("config.get", { projectID })
  expect((await callProcedure(owner, "config.trust", { projectID, hash: trust.hash })).status).toBe(200)
  const report = async () => await read<Report>("config.get", { projectID })
  // The configuration is cached for a moment.
  await expect.poll(async () => (await report()).trust.state).toBe("trusted")
  const { problems } = await report()
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("token} is not filled in: where several people share a service"),
    expect.stringContaining("{env:PATH} is not filled in"),
  ])
  expect(JSON.stringify(await read("agent.list", { projectID }))).not.toContain(service.token)
})

it("a batch of more than 50 procedures is refused", async () => {
  const batch = (count: number, comma = ",") =>
    owner.get(`/api/trpc/${Array(count).fill("me.get").join(comma)}?batch=1&input=%7B%7D`)
  expect((await batch(50)).status).toBe(200)
  for (const refused of [await batch(51), await batch(51, "%2C")])
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("at most 50 procedures")])
})
