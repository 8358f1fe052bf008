import type { AuditEntry } from "@docket/core/schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adasSignIn, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService({ github: { clientId: "docket", clientSecret: "s" } })
  owner = await service.owner()
})
afterAll(() => service.remove())

async function entries(query: object = {}): Promise<AuditEntry[]> {
  const { data } = await callProcedure(owner, "audit.list", { limit: 500, ...query })
  return (data as { items: AuditEntry[] }).items
}

const signInOf = ({ email, password }: { email: string; password: string }) => ({ email, password })

describe("for a thief with a stolen cookie and a token", () => {
  const invalidToken = { authorization: "Bearer nobody" }

  it("an invalid token opens no route that changes the account", async () => {
    const victim = await joinTeam(service, owner, "Victor", "member")
    const thief = service.browser(victim.browser.cookie())
    const device = await service.browser().post("/api/auth/device/code", { client_id: "docket-cli" })
    const { user_code } = (await device.json()) as { user_code: string }
    await thief.get(`/api/auth/device?user_code=${user_code}`, invalidToken)
    const before = (await entries()).length
    const tries: [string, object][] = [
      ["device/approve", { userCode: user_code }],
      ["two-factor/enable", { password: victim.password }],
      ["change-password", { currentPassword: victim.password, newPassword: "the thief's password" }],
    ]
    for (const [route, body] of tries)
      expect([route, (await thief.post(`/api/auth/${route}`, body, invalidToken)).status]).toEqual([route, 401])
    expect((await thief.get("/api/auth/passkey/generate-register-options", invalidToken)).status).toBe(401)
    const after = await entries()
    const added = after.slice(0, after.length - before)
    expect(added.filter(({ act }) => act !== "sign-in.failed")).toEqual([])
    expect((await service.browser().post("/api/auth/sign-in/email", signInOf(victim))).status).toBe(200)
  })

  it("the service's valid token does not change the victim's password", async () => {
    const victim = await joinTeam(service, owner, "Vicky", "member")
    const thief = service.browser(victim.browser.cookie())
    const changed = { currentPassword: victim.password, newPassword: "the thief's password" }
    const validToken = { authorization: `Bearer ${service.token}` }
    expect((await thief.post("/api/auth/change-password", changed, validToken)).status).toBe(401)
    expect((await service.browser().post("/api/auth/sign-in/email", signInOf(victim))).status).toBe(200)
  })
})

describe("an entry", () => {
  const idOfOther = (kind: string) => `${kind}_${"0".repeat(12)}${"A".repeat(14)}`

  it("names the targets of a call", async () => {
    const todo = (await callProcedure(owner, "todo.create", { sessionID: null, content: "mine" })).data as {
      id: string
    }
    const key = (await callProcedure(owner, "team.createKey", { name: "mine", role: "viewer" })).data as { id: string }
    const asProgram = { authorization: `Bearer ${service.token}` }
    expect((await service.browser().post("/v1/todos", { subject: "by a program" }, asProgram)).status).toBe(201)
    const [program, made, wrote] = (await entries()).filter(({ act }) => act !== "sign-in")
    expect([program?.call, program?.targets]).toEqual(["POST /v1/todos", { todo: expect.not.stringContaining("AAAA") }])
    expect([made?.act, made?.targets]).toEqual(["key.made", { id: key.id, name: "mine" }])
    expect([wrote?.act, wrote?.targets]).toEqual(["todo.edited", { todo: todo.id }])
  })

  it("is not written for a call that names additional things", async () => {
    const before = await entries()
    const others = { todoID: idOfOther("tod"), shareID: idOfOther("shr"), root: idOfOther("ses") }
    const asProgram = { authorization: `Bearer ${service.token}` }
    const query = `share=${idOfOther("shr")}&todo=${idOfOther("tod")}&id=${idOfOther("ses")}`
    const refused = [
      (await callProcedure(owner, "todo.create", { sessionID: null, content: "mine", ...others })).status,
      (await callProcedure(owner, "team.createKey", { name: "mine", role: "viewer", id: "another key" })).status,
      (await service.browser().post(`/v1/todos?${query}`, { subject: "by a program" }, asProgram)).status,
    ]
    expect(refused).toEqual([400, 400, 400])
    expect(await entries()).toEqual(before)
  })
})

it("a refused return from a provider is logged as failed sign-in", async () => {
  const answer = await service.browser().get("/sign-in/github?error=access_denied&state=guessed")
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([302, []])
  expect((await entries({ limit: 1 }))[0]).toMatchObject({ act: "sign-in.failed", call: "GET /sign-in/github" })
  expect((await service.browser().post("/api/auth/sign-in/email", adasSignIn)).status).toBe(200)
})
