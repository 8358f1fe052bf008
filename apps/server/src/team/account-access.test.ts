import { Role } from "@docket/core/schema"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { forwardedAccess, type OwnRoute, ownAccess } from "./account-access.ts"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

const routes: Record<string, string | null> = { ...ownAccess, ...forwardedAccess }

/** The promised routes for signed-out callers, independent of the code. */
const open = [
  "POST /provider",
  "POST /sign-in/email",
  "POST /first-owner/look",
  "POST /first-owner",
  "POST /invitation/look",
  "POST /invitation/accept",
  "POST /reset/look",
  "POST /reset",
  "POST /sign-out",
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
  "GET /passkey/generate-authenticate-options",
  "POST /passkey/verify-authentication",
  "POST /device/code",
  "POST /device/token",
  "GET /device",
]

let service: TeamService
const people = new Map<Role, { browser: TeamBrowser; key: string }>()

beforeAll(async () => {
  service = await startTeamService({
    limits: { signIn: { perAccountAndPlace: 1_000, perAccount: 1_000, perPlace: 1_000 } },
  })
  const owner = await service.owner()
  const keyOf = async (browser: TeamBrowser, role: Role) => {
    const { data } = await callProcedure(owner, "team.createKey", { name: `of ${role}`, role })
    return { browser, key: (data as { key: string }).key }
  }
  people.set("owner", await keyOf(owner, "owner"))
  for (const role of Role.options.filter((each) => each !== "owner"))
    people.set(role, await keyOf((await joinTeam(service, owner, `The ${role}`.replace(" ", "-"), role)).browser, role))
})
afterAll(() => service.remove())

async function call(as: TeamBrowser, route: string, headers?: Record<string, string>) {
  const [method, path] = route.split(" ")
  const response = await (method === "GET"
    ? as.get(`/api/auth${path}`, headers)
    : as.post(`/api/auth${path}`, { id: "nothing", name: "nothing", password: "not the password" }, headers))
  return { status: response.status, body: await response.text() }
}

const guarded = Object.entries(routes).flatMap(([route, needs]) => (needs === null ? [] : [[route, needs] as const]))
const notSignedIn = "sign in with an account"

describe("routes of accounts", () => {
  it("fail to compile when they declare no access", () => {
    expectTypeOf<OwnRoute>().toEqualTypeOf<keyof typeof ownAccess>()
    expectTypeOf<string>().not.toExtend<OwnRoute>()
  })

  it("are open to strangers only if listed in this test", () => {
    expect(
      Object.keys(routes)
        .filter((route) => routes[route] === null)
        .sort(),
    ).toEqual(open.toSorted())
  })

  it("answer a stranger the same 401 where they need a capability", async () => {
    for (const [route] of guarded)
      expect([route, await call(service.browser(), route)]).toEqual([
        route,
        { status: 401, body: expect.stringContaining(notSignedIn) },
      ])
  })

  it("are refused to keys, whatever their capabilities", async () => {
    for (const [route, needs] of guarded) {
      for (const [role, { key }] of people) {
        const { status, body } = await call(service.browser(), route, { authorization: `Bearer ${key}` })
        const refused = needs === "account" ? [401, notSignedIn] : [403, "Only who runs the service may"]
        expect([route, role, status]).toEqual([route, role, refused[0]])
        expect(body).toContain(refused[1])
      }
    }
  })

  it("let every role manage its sign-in; operators manage the service", async () => {
    for (const [route, needs] of guarded) {
      for (const [role, { browser }] of people) {
        const { status, body } = await call(browser, route)
        // The owner is also an operator, but does not have the machine's token.
        const isRefused = needs === "service.manage" && role !== "owner"
        expect([route, role, status === 403, body.includes(notSignedIn)]).toEqual([route, role, isRefused, false])
        expect(status).toBeLessThan(500)
      }
    }
    const operator = { authorization: `Bearer ${service.token}` }
    expect((await call(service.browser(), "POST /first-owner/link", operator)).status).toBe(200)
  })

  it("that are open need no sign-in", async () => {
    for (const route of open) {
      const { status, body } = await call(service.browser(), route)
      expect([route, body.includes(notSignedIn), status === 404 && body.includes("nothing at this address")]).toEqual([
        route,
        false,
        false,
      ])
      expect(status).toBeLessThan(500)
    }
  })

  it("are the only routes below their address", async () => {
    for (const [, { browser }] of people)
      for (const route of ["POST /anything", "GET /sign-out", "POST /methods", "GET /__proto__", "GET /constructor"])
        expect([route, (await call(browser, route)).status]).toEqual([route, 404])
  })
})
