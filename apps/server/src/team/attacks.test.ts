import { mkdtemp, rm } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { openSqliteDatabase } from "@docket/db"
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { type Accounts, createAccounts } from "./create-accounts.ts"
import { createPeople } from "./people.ts"
import { readTeamSettings } from "./team-settings.ts"
import { ada, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"

let service: TeamService
let owner: TeamBrowser

const sessions = "/api/trpc/session.list?input=%7B%7D"
const hour = 60 * 60_000

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())
afterEach(() => void vi.useRealTimers())

/** It is so much later for the service, which runs in this process; its timers go on. */
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
  it("for an invitation is over after a week, like one that never was", async () => {
    const secret = await secretOf("invite", { email: "late@example.org", role: "member" })
    later(7 * 24 * hour + 1)
    const answers = await Promise.all([accept(secret, "Late"), accept("x".repeat(43), "Late")])
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(await answers[0]?.text()).toBe(await answers[1]?.text())
    vi.useRealTimers()
    expect((await members()).map(({ email }) => email)).not.toContain("late@example.org")
  })

  it("for a password is over after a day, and none works as another kind", async () => {
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
    expect((await service.browser().post("/api/auth/sign-in/email", ada)).status).toBe(200)
  })
})

it("a sign-in is over after 30 days, used or not", async () => {
  const browser = service.browser()
  await browser.post("/api/auth/sign-in/email", ada)
  later(29 * 24 * hour)
  expect((await browser.get(sessions)).status).toBe(200)
  later(24 * hour + 10_000)
  expect((await browser.get(sessions)).status).toBe(401)
})

it("an address is one person in any case, and with other dots another", async () => {
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

it("no WebSocket is opened, by no site", async () => {
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

it("a form, an image and a script of another site change nothing and read nothing", async () => {
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

it("only a page of this service is come back to from a provider", async () => {
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

/** Accounts over tables of their own, at an address of that kind. */
async function openAccounts(url: string): Promise<Accounts> {
  const data = await mkdtemp(path.join(tmpdir(), "docket-accounts-"))
  const database = await openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
  onTestFinished(async () => {
    await database.close()
    await rm(data, { recursive: true })
  })
  const settings = readTeamSettings(data, { DOCKET_AUTH: "team", DOCKET_URL: url })
  if (settings === null || database.accounts === undefined) throw new Error("no team")
  return createAccounts({ tables: database.accounts, settings, secret: "s".repeat(43), log: () => undefined })
}

it.each([
  ["https://docket.example.org", "__Host-docket.session_token", true],
  ["http://10.0.0.7:4180", "docket.session_token", false],
])("the cookie at %s is for that host alone, and for no script", async (url, name, isSecure) => {
  const accounts = await openAccounts(url)
  await createPeople(await accounts.$context).create(ada)
  const response = await accounts.api.signInEmail({ body: ada, asResponse: true })
  const [cookie = ""] = response.headers.getSetCookie()
  expect(cookie.split("=")[0]).toBe(name)
  expect(cookie).toMatch(/; HttpOnly/i)
  expect(cookie).toMatch(/; SameSite=Lax/i)
  expect(cookie).toMatch(/; Path=\//i)
  expect(cookie).not.toMatch(/Domain/i)
  expect(/; Secure/i.test(cookie)).toBe(isSecure)
})

it("a password is hashed as often for an address that nobody has as for one that somebody has", async () => {
  const accounts = await openAccounts("https://docket.example.org")
  const context = await accounts.$context
  const people = createPeople(context)
  await people.create(ada)
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
