import type { AuditEntry } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { deviceClient } from "./device-client.ts"
import { ada, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

async function entries(query: object = {}, as: TeamBrowser = owner): Promise<AuditEntry[]> {
  const input = encodeURIComponent(JSON.stringify({ limit: 500, ...query }))
  const response = await as.get(`/api/trpc/audit.list?input=${input}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { result: { data: { items: AuditEntry[] } } }).result.data.items
}

const join = (name: string, role: string) => joinTeam(service, owner, name, role)

interface Listed {
  items: AuditEntry[]
  cursor: string | null
}

it("the log names who did what, to what, how and from where", async () => {
  const bob = await join("Bob", "member")
  const todo = (await callProcedure(bob.browser, "todo.create", { sessionID: null, content: "a secret plan" }))
    .data as {
    id: string
  }
  await callProcedure(owner, "team.setRole", { person: bob.person, role: "viewer" })
  const [changed, wrote] = await entries()
  expect(changed).toMatchObject({
    act: "person.role",
    call: "team.setRole",
    person: { name: "Ada" },
    targets: { person: bob.person, name: "Bob" },
    facts: { role: "viewer" },
  })
  expect(wrote).toMatchObject({
    act: "todo.edited",
    person: { id: bob.person, name: "Bob" },
    via: "browser",
    credential: null,
    address: expect.stringContaining("127.0.0.1"),
    targets: { todo: todo.id },
  })
  expect((await entries({ person: bob.person })).map(({ act }) => act)).toEqual([
    "todo.edited",
    "sign-in",
    "person.joined",
  ])
})

it("the log records sign-ins, failed ones too, invitations and who joined", async () => {
  const since = Date.now()
  const carol = await join("Carol", "viewer")
  const wrong = { email: carol.email, password: "not hers at all" }
  for (let tries = 0; tries < 5; tries += 1) await service.browser().post("/api/auth/sign-in/email", wrong)
  await service.browser().post("/api/auth/sign-in/email", { ...wrong, email: "nobody@example.org" })
  await service
    .browser()
    .post("/api/auth/invitation/accept", { secret: "guessed", name: "Eve", password: "long enough" })
  await carol.browser.post("/api/auth/sign-out")
  const found = await entries({ since })
  expect(found.every(({ address }) => address?.includes("127.0.0.1"))).toBe(true)
  // The five failures of one address make one entry. The failure without an address is the guessed invitation.
  expect(found.map(({ act, person, targets }) => [act, person?.name ?? null, targets.email ?? null])).toEqual([
    ["sign-out", "Carol", null],
    ["sign-in.failed", null, null],
    ["sign-in.failed", null, "nobody@example.org"],
    ["sign-in.failed", null, carol.email],
    ["sign-in", "Carol", null],
    ["person.joined", "Carol", null],
    ["invitation.made", "Ada", carol.email],
  ])
})

it("the log marks command-line acts as such, with their address", async () => {
  const code = await service.browser().post("/api/auth/device/code", { client_id: deviceClient })
  const { device_code, user_code } = (await code.json()) as { device_code: string; user_code: string }
  expect((await owner.get(`/api/auth/device?user_code=${user_code}`)).status).toBe(200)
  expect((await owner.post("/api/auth/device/approve", { userCode: user_code })).status).toBe(200)
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id: deviceClient, device_code }
  const token = await service.browser().post("/api/auth/device/token", grant)
  const { access_token } = (await token.json()) as { access_token: string }
  const todo = { sessionID: null, content: "from the terminal" }
  const bearer = { authorization: `Bearer ${access_token}` }
  expect((await service.browser().post("/api/trpc/todo.create", todo, bearer)).status).toBe(200)
  const address = expect.stringContaining("127.0.0.1")
  const [wrote, came] = await entries()
  expect(wrote).toMatchObject({ act: "todo.edited", person: { name: "Ada" }, via: "cli", address })
  expect(came).toMatchObject({ act: "sign-in", person: { name: "Ada" }, via: "cli", address })
})

it("a password reset and its link are both logged", async () => {
  const dora = await join("Dora", "member")
  const made = (await callProcedure(owner, "team.resetLink", { person: dora.person })).data as { url: string }
  const secret = made.url.split("#")[1]
  expect((await service.browser().post("/api/auth/reset", { secret, password: "quite another one" })).status).toBe(200)
  const [used, linked] = await entries()
  const address = expect.stringContaining("127.0.0.1")
  expect(used).toMatchObject({ act: "sign-in.method", call: "POST /api/auth/reset", person: { name: "Dora" }, address })
  expect(linked).toMatchObject({ act: "person.reset", targets: { name: "Dora" } })
  expect(JSON.stringify([used, linked])).not.toContain(secret)
})

it("log entries of a key name key and maker, but no secrets", async () => {
  const made = (await callProcedure(owner, "team.createKey", { name: "night bot", role: "member", days: 3 })).data as {
    id: string
    key: string
  }
  const byKey = { authorization: `Bearer ${made.key}` }
  const program = service.browser()
  await callProcedure(program, "todo.create", { sessionID: null, content: "from a program" }, byKey)
  const posted = await program.post("/v1/todos", { subject: "by the other way" }, byKey)
  expect(posted.status).toBe(201)
  await callProcedure(owner, "provider.saveKey", { providerID: "anthropic", key: "sk-ant-very-secret" })
  await callProcedure(owner, "team.revokeKey", { key: made.id })
  const found = await entries({ person: (await entries({ act: "key.made" }))[0]?.person?.id })
  expect(found.slice(0, 5)).toMatchObject([
    { act: "key.ended", targets: { key: made.id } },
    { act: "provider.changed", call: "provider.saveKey", targets: { providerID: "anthropic" } },
    { act: "todo.edited", call: "POST /v1/todos", via: "key", credential: "night bot", person: { name: "Ada" } },
    { act: "todo.edited", call: "todo.create", via: "key", credential: "night bot", person: { name: "Ada" } },
    { act: "key.made", targets: { id: made.id, name: "night bot" }, facts: { role: "member", days: 3 } },
  ])
  const all = JSON.stringify(await entries())
  for (const secret of [made.key, "sk-ant-very-secret", "from a program", "a secret plan", ada.password])
    expect(all).not.toContain(secret)
})

it("the log says who left and which keys they left", async () => {
  const gina = await join("Gina", "admin")
  await callProcedure(gina.browser, "team.createKey", { name: "hers", role: "viewer" })
  await gina.browser.post("/api/tokens", { name: "hers too" })
  expect((await callProcedure(gina.browser, "team.leave", {})).data).toMatchObject({ keys: 1, tokens: 1 })
  const nothing = { withdrawn: 0, stopped: 0, running: 0, paused: 0, hidden: 0, webhooks: 0 }
  expect((await entries({ act: "person.left" }))[0]).toMatchObject({
    person: { name: "Gina" },
    facts: { ...nothing, keys: 1, tokens: 1 },
  })
})

it("calls refused many times have one log entry each", async () => {
  const frank = await join("Frank", "viewer")
  for (let tries = 0; tries < 20; tries += 1)
    expect((await callProcedure(frank.browser, "todo.create", { sessionID: null, content: "no" })).status).toBe(403)
  expect((await frank.browser.get("/api/audit")).status).toBe(403)
  expect((await callProcedure(owner, "team.leave", {})).status).toBe(409)
  const found = await entries({ act: "call.refused" })
  expect(found.map(({ person, call: made, facts }) => [person?.name, made, facts.capability, facts.times])).toEqual([
    ["Ada", "team.leave", "account", 1],
    ["Frank", "GET /api/audit", "audit.read", 1],
    ["Frank", "todo.create", "todo.edit", 1],
  ])
})

it("other failures and read-only calls are not logged", async () => {
  const before = (await entries()).length
  expect((await callProcedure(owner, "team.remove", { person: "nobody" })).status).toBe(404)
  expect((await callProcedure(owner, "todo.create", { sessionID: null, content: "" })).status).toBe(400)
  expect((await owner.get("/api/trpc/team.members")).status).toBe(200)
  expect((await entries()).length).toBe(before)
})

it("the log shows acts in private sessions without naming the session", async () => {
  const hugo = await join("Hugo", "member")
  const [project] = (await callProcedure(owner, "project.list")).data as { id: string }[]
  const call = async (as: TeamBrowser, name: string, input: object) => {
    const { status, data } = await callProcedure(as, name, input)
    expect([name, status]).toEqual([name, 200])
    return data as { id: string }
  }
  const start = { projectID: project?.id, visibility: "author" }
  const session = await call(hugo.browser, "session.create", start)
  const todo = await call(hugo.browser, "todo.create", { sessionID: session.id, content: "quietly" })
  await call(hugo.browser, "todo.update", { todo: todo.id, status: "completed" })
  const open = await call(hugo.browser, "session.create", { ...start, visibility: "workspace" })
  const found = await entries({ person: hugo.person })
  expect(found.slice(0, 4).map(({ act, targets, facts }) => [act, targets, facts.private ?? false])).toEqual([
    ["session.started", expect.objectContaining({ session: open.id }), false],
    ["todo.edited", {}, true],
    ["todo.edited", {}, true],
    ["session.started", {}, true],
  ])
  // Neither the search nor the file reveals them.
  for (const id of [session.id, todo.id]) {
    expect(await entries({ text: id })).toEqual([])
    expect(await (await owner.get(`/api/audit?text=${id}`)).text()).toBe("")
    expect(await (await owner.get("/api/audit")).text()).not.toContain(id)
  }
  // The cursor does not reveal them either, and an entry that has such a name is not hidden.
  const { id: key } = await call(owner, "team.createKey", { name: session.id, role: "viewer" })
  for (const text of [session.id, session.id.slice(0, -3)]) {
    const { items, cursor } = (await callProcedure(owner, "audit.list", { limit: 1, text })).data as Listed
    expect([items, cursor]).toMatchObject([[{ act: "key.made", targets: { id: key, name: session.id } }], null])
  }
  await call(owner, "team.setRole", { person: hugo.person, role: "admin" })
  const own = await entries({ person: hugo.person, act: "todo.edited" }, hugo.browser)
  expect(own.map(({ targets }) => targets.session)).toEqual([session.id, session.id])
  await call(hugo.browser, "session.setVisibility", { sessionID: session.id, visibility: "workspace" })
  expect((await entries({ text: todo.id })).length).toBe(2)
})

it("the log downloads as JSON lines, whole or filtered", async () => {
  const all = await entries()
  const response = await owner.get("/api/audit")
  expect(response.headers.get("content-type")).toContain("application/x-ndjson")
  const lines = (await response.text()).trim().split("\n")
  expect(lines.map((line) => JSON.parse(line) as AuditEntry)).toEqual(all)
  const some = await (await owner.get("/api/audit?act=person.role&text=bob")).text()
  expect(
    some
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as AuditEntry).act),
  ).toEqual(["person.role"])
  expect((await owner.get("/api/audit?act=whatever")).status).toBe(400)
})
