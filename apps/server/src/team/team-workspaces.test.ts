import { existsSync } from "node:fs"
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { adasSignIn, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

interface Listed {
  workspaces: { id: string; name: string; role: string; isCurrent: boolean }[]
  mayCreate: boolean
}
const listed = async (as: TeamBrowser) => (await callProcedure(as, "workspace.list")).data as Listed
const currentOf = async (as: TeamBrowser) => (await listed(as)).workspaces.find(({ isCurrent }) => isCurrent)?.id
const switchTo = (as: TeamBrowser, workspace: string) => callProcedure(as, "workspace.switch", { workspace })
const operator = () => ({ authorization: `Bearer ${service.token}` })

/** A workspace that Ada owns. */
async function create(name: string, more: object = {}) {
  const { status, data, code } = await callProcedure(owner, "workspace.create", { name, ...more })
  expect([status, code]).toEqual([200, undefined])
  return data as { id: string; name: string; invitation: { url: string } | null }
}

it("new workspaces get unique ids from names and their creator as owner", async () => {
  const ids = []
  for (const name of ["Globex", "globex!", "Ödön & Söhne", "日本", "x".repeat(80)]) ids.push((await create(name)).id)
  expect(ids).toEqual(["globex", "globex-2", "odon-sohne", "workspace", "x".repeat(60)])
  expect((await listed(owner)).workspaces[1]).toEqual({ id: "globex", name: "Globex", role: "owner", isCurrent: false })
  for (const id of ["globex", "local", "Up", "a/b", "../x", ""])
    expect((await callProcedure(owner, "workspace.create", { name: "n", id })).status, id).toBe(400)
  // A tenant that programs use cannot become a workspace with its name.
  await service.browser().post("/api/tokens", { tenant: "robots", name: "r" }, operator())
  expect((await callProcedure(owner, "workspace.create", { name: "n", id: "robots" })).status).toBe(400)
  expect((await create("Robots")).id).toBe("robots-2")
})

it("only operators create workspaces and see all of them", async () => {
  const bob = await joinTeam(service, owner, "Bob", "owner")
  for (const [name, input] of [
    ["workspace.create", { name: "Mine" }],
    ["workspace.all", undefined],
    ["workspace.removeAny", { workspace: "globex", name: "Globex" }],
    ["workspace.operators", undefined],
    ["workspace.setRoots", { workspace: "local", roots: [] }],
    ["workspace.setOperator", { email: bob.email, isOperator: true }],
  ] as const)
    expect([name, (await callProcedure(bob.browser, name, input)).status]).toEqual([name, 403])
  expect((await bob.browser.get("/api/tenants")).status).toBe(403)
  expect((await listed(bob.browser)).mayCreate).toBe(false)
  expect((await callProcedure(owner, "workspace.setOperator", { email: bob.email, isOperator: true })).status).toBe(200)
  expect((await listed(bob.browser)).mayCreate).toBe(true)
  expect(
    ((await callProcedure(bob.browser, "workspace.operators")).data as { name: string }[]).map(({ name }) => name),
  ).toEqual(["Ada", "Bob"])
  const { data } = await callProcedure(service.browser(), "workspace.all", undefined, operator())
  expect((data as { id: string; members: number }[]).find(({ id }) => id === "local")?.members).toBe(2)
  await callProcedure(owner, "workspace.setOperator", { email: bob.email, isOperator: false })
  expect((await callProcedure(bob.browser, "workspace.all")).status).toBe(403)
  expect(
    (await callProcedure(owner, "workspace.setOperator", { email: "no@example.org", isOperator: true })).code,
  ).toBe("person_not_found")
})

it("an admin cannot take over an account with wider access", async () => {
  const admin = await joinTeam(service, owner, "Trent", "admin")
  const victim = await joinTeam(service, owner, "Victor", "member")
  const members = async () => (await callProcedure(owner, "team.members")).data as { person: string; email: string }[]
  const person = (await members()).find(({ email }) => email === victim.email)?.person ?? ""
  const link = () => callProcedure(admin.browser, "team.resetLink", { person })
  const reset = (url: string) =>
    service.browser().post("/api/auth/reset", { secret: url.split("#")[1], password: "what the taker chose" })
  const early = await link()
  expect(early.status).toBe(200)
  expect((await callProcedure(owner, "workspace.setOperator", { email: victim.email, isOperator: true })).status).toBe(
    200,
  )
  expect((await reset((early.data as { url: string }).url)).status).toBe(404)
  expect((await link()).code).toBe("role_forbidden")
  await callProcedure(owner, "workspace.setOperator", { email: victim.email, isOperator: false })
  const between = await link()
  expect(between.status).toBe(200)
  expect((await callProcedure(owner, "workspace.create", { name: "Of Victor", owner: victim.email })).status).toBe(200)
  expect((await reset((between.data as { url: string }).url)).status).toBe(404)
  expect((await link()).code).toBe("role_forbidden")
  // The operator may, because they gain nothing by it.
  expect((await callProcedure(owner, "team.resetLink", { person })).status).toBe(200)
})

it("an operator sets the roots of another person's workspace", async () => {
  const zed = await joinTeam(service, owner, "Zed", "owner")
  const { id } = await create("Of Zed", { owner: zed.email })
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "docket-of-zed-")))
  onTestFinished(() => rm(root, { recursive: true }))
  const set = (roots: string[], workspace = id) =>
    callProcedure(service.browser(), "workspace.setRoots", { workspace, roots }, operator())
  expect((await set([root])).data).toEqual({ id, name: "Of Zed", roots: [root] })
  await switchTo(zed.browser, id)
  expect((await callProcedure(zed.browser, "workspace.get")).data).toMatchObject({ roots: [root] })
  const { data } = await callProcedure(zed.browser, "audit.list", { limit: 1 })
  expect((data as { items: object[] }).items).toEqual([
    expect.objectContaining({
      act: "workspace.changed",
      address: expect.stringContaining("127.0.0.1"),
      person: expect.objectContaining({ name: "service" }),
      facts: { roots: root },
    }),
  ])
  const all = (await callProcedure(service.browser(), "workspace.all", undefined, operator())).data as { id: string }[]
  expect(all.find((each) => each.id === id)).toMatchObject({ roots: [root] })
  expect((await set([path.join(root, "none")])).code).toBe("invalid_input")
  expect((await set([root], "nowhere")).code).toBe("workspace_not_found")
  expect((await set([])).data).toMatchObject({ roots: [] })
})

it("switching changes one sign-in; a session's other workspace is named", async () => {
  const { id } = await create("Switching")
  const directory = path.join(service.project, "switching")
  await mkdir(directory)
  const project = (await callProcedure(owner, "project.list")).data as { id: string }[]
  const { data } = await callProcedure(owner, "session.create", { projectID: project[0]?.id })
  const sessionID = (data as { id: string }).id
  const other = service.browser()
  await other.post("/api/auth/sign-in/email", adasSignIn)

  expect((await switchTo(owner, id)).status).toBe(200)
  expect([await currentOf(owner), await currentOf(other)]).toEqual([id, "local"])
  expect((await callProcedure(owner, "project.list")).data).toEqual([])
  expect((await callProcedure(owner, "session.get", { sessionID })).code).toBe("session_not_found")
  expect((await callProcedure(owner, "workspace.holding", { sessionID })).data).toEqual({ id: "local", name: "Docket" })
  expect((await callProcedure(other, "workspace.holding", { sessionID })).data).toBeNull()

  const eve = await joinTeam(service, owner, "Eve", "member")
  expect((await callProcedure(eve.browser, "workspace.holding", { sessionID })).data).toBeNull()
  for (const workspace of ["local", "globex", "nowhere", "__proto__"])
    expect([workspace, (await switchTo(eve.browser, workspace)).code]).toEqual([workspace, "workspace_not_found"])
  expect(await currentOf(eve.browser)).toBe(id)
  // The operator's token and API keys stay in their workspace.
  expect((await callProcedure(service.browser(), "workspace.switch", { workspace: id }, operator())).code).toBe(
    "workspace_not_found",
  )
  const key = (await callProcedure(owner, "team.createKey", { name: "ci", role: "owner" })).data as { key: string }
  const bearer = { authorization: `Bearer ${key.key}` }
  expect((await callProcedure(service.browser(), "workspace.switch", { workspace: "local" }, bearer)).code).toBe(
    "role_forbidden",
  )
  const ofKey = (await callProcedure(service.browser(), "workspace.list", undefined, bearer)).data as Listed
  expect(ofKey.workspaces.map((each) => each.id)).toEqual([id])
  await switchTo(owner, "local")
  expect((await callProcedure(owner, "session.get", { sessionID })).status).toBe(200)
})

it("switching ends the sign-in's streams of the old workspace", async () => {
  const { id } = await create("Streams")
  const stream = await fetch(`${service.url}/api/trpc/event.subscribe?input=${encodeURIComponent("{}")}`, {
    headers: { cookie: owner.cookie(), "sec-fetch-site": "same-origin" },
  })
  const chunks = (stream.body ?? new ReadableStream()).values()
  expect((await chunks.next()).done).toBe(false)
  await switchTo(owner, id)
  const rest = async () => {
    while (!(await chunks.next()).done);
  }
  await rest().catch(() => undefined)
  await switchTo(owner, "local")
})

it("a workspace is renamed, and removed entirely once its name is typed", async () => {
  const { id } = await create("Doomed")
  const directory = path.join(service.data, "..", `${path.basename(service.data)}-doomed`)
  await mkdir(directory)
  await switchTo(owner, id)
  const mia = await joinTeam(service, owner, "Mia", "admin")
  expect((await callProcedure(owner, "workspace.rename", { name: "Doomed soon" })).status).toBe(200)
  expect((await listed(mia.browser)).workspaces.map(({ name }) => name)).toEqual(["Doomed soon"])
  await callProcedure(owner, "workspace.update", { roots: [directory] })
  await writeFile(path.join(directory, "notes.md"), "Notes.\n")
  await callProcedure(owner, "project.open", { directory })
  const key = ((await callProcedure(owner, "team.createKey", { name: "ci", role: "admin" })).data as { key: string })
    .key
  const files = path.join(service.data, "workspaces", id)
  expect(existsSync(files)).toBe(true)

  expect((await callProcedure(mia.browser, "workspace.remove", { name: "Doomed soon" })).status).toBe(403)
  expect((await callProcedure(owner, "workspace.remove", { name: "Doomed" })).code).toBe("invalid_input")
  expect(await currentOf(owner)).toBe(id)
  expect((await callProcedure(owner, "workspace.remove", { name: "Doomed soon" })).status).toBe(200)
  expect(existsSync(files)).toBe(false)
  expect(existsSync(path.join(directory, "notes.md"))).toBe(true)
  expect(await currentOf(owner)).toBe("local")
  expect((await mia.browser.get("/api/trpc/workspace.list")).status).toBe(401)
  // A workspace with the same name is a new one: neither members nor keys come back.
  expect((await create("Doomed")).id).toBe(id)
  const bearer = { authorization: `Bearer ${key}` }
  expect((await service.browser().get("/api/trpc/workspace.list", bearer)).status).toBe(401)
  await switchTo(owner, "local")
  const first = await callProcedure(owner, "workspace.remove", { name: "Docket" })
  expect([first.code, first.message]).toEqual([
    "invalid_input",
    "Docket is the workspace that this service began with, so it stays. Remove what is in it instead.",
  ])
})

it("an operator creates workspaces for existing and invited people", async () => {
  const make = (input: object) => callProcedure(service.browser(), "workspace.create", input, operator())
  expect((await make({ name: "Nobody's" })).code).toBe("invalid_input")
  const { data } = await make({ name: "For Zoe", owner: "zoe@example.org" })
  const secret = (data as { invitation: { url: string } }).invitation.url.split("#")[1]
  const zoe = service.browser()
  const person = { secret, name: "Zoe", password: "Zoe has a password" }
  expect((await zoe.post("/api/auth/invitation/accept", person)).status).toBe(200)
  expect((await listed(zoe)).workspaces).toEqual([{ id: "for-zoe", name: "For Zoe", role: "owner", isCurrent: true }])
  await make({ name: "Second", owner: "zoe@example.org" })
  expect((await listed(zoe)).workspaces.map(({ id }) => id)).toEqual(["for-zoe", "second"])
})

it("a person who joins another workspace begins there", async () => {
  const { id } = await create("Joined")
  await switchTo(owner, id)
  const { data } = await callProcedure(owner, "team.invite", { email: "zoe@example.org", role: "member" })
  await switchTo(owner, "local")
  const zoe = service.browser()
  const secret = (data as { url: string }).url.split("#")[1]
  await zoe.post("/api/auth/invitation/accept", { secret, password: "Zoe has a password" })
  expect(await currentOf(zoe)).toBe(id)
})
