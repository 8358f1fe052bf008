import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { MessageWithParts, Turn } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { type HeldModel, startHeldModel } from "./test/start-held-model.ts"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let model: HeldModel
let owner: TeamBrowser
let directory: string
let projectID: string

beforeAll(async () => {
  model = await startHeldModel()
  service = await startTeamService({}, [model.config])
  owner = await service.owner()
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-left-")))
  projectID = z.object({ id: z.string() }).parse(await call(owner, "project.open", { directory })).id
})
afterAll(async () => {
  await service.remove()
  await model.stop()
  await rm(directory, { recursive: true, force: true })
})

/** The result of a procedure, or the code of its refusal. */
async function call(as: TeamBrowser, name: string, input?: object): Promise<unknown> {
  const { data, code } = await callProcedure(as, name, input)
  return code === undefined ? data : { refused: code }
}

const join = (name: string, role: string) => joinTeam(service, owner, name, role)

async function newSession(as: TeamBrowser, fields: object = {}): Promise<string> {
  const made = await call(as, "session.create", { projectID, title: "Shared work", ...fields })
  return z.object({ id: z.string() }).parse(made).id
}

const prompt = async (as: TeamBrowser, sessionID: string, text: string) =>
  Turn.parse(await call(as, "session.promptAsync", { sessionID, parts: [{ type: "text", text }] }))

/** The prompts in a session's transcript, with their authors. */
async function prompts(sessionID: string) {
  const { items } = z
    .object({ items: z.array(MessageWithParts) })
    .parse(await call(owner, "session.messages", { sessionID, limit: 500 }))
  return items.flatMap(({ info, parts }) =>
    info.role === "user"
      ? [[info.by?.person, parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("")]]
      : [],
  )
}

/** Resolves when the session has no turns. */
async function settled(sessionID: string): Promise<void> {
  for (;;) {
    const { turns } = z.object({ turns: z.array(z.unknown()) }).parse(await call(owner, "session.tree", { sessionID }))
    if (turns.length === 0) return
  }
}

it("offboarding withdraws queued prompts, finishes running turns and pauses schedules", async () => {
  const bob = await join("Bob", "member")
  const ada = z.object({ person: z.string() }).parse(await call(owner, "me.get")).person
  const id = await newSession(bob.browser)
  const hidden = await newSession(bob.browser, { title: "Bob alone", visibility: "author" })
  const runs = await prompt(bob.browser, id, "one")
  await model.waits(1)
  await prompt(bob.browser, id, "two")
  await prompt(owner, id, "three")
  const when = { projectID, when: "in 500 weeks", message: "go on" }
  const schedule = z.object({ id: z.string() }).parse(await call(bob.browser, "schedule.create", when)).id
  const own = z.object({ id: z.string() }).parse(await call(owner, "schedule.create", when)).id
  expect(await call(owner, "team.remove", { person: bob.person })).toEqual({
    withdrawn: 1,
    stopped: 0,
    running: 1,
    paused: 1,
    hidden: 1,
    webhooks: 0,
    keys: 0,
    tokens: 0,
  })
  expect(await call(owner, "schedule.get", { schedule })).toMatchObject({ status: "paused" })
  expect(await call(owner, "schedule.get", { schedule: own })).toMatchObject({ status: "active" })
  model.answer("always")
  await settled(id)
  expect(await prompts(id)).toEqual([
    [bob.person, "one"],
    [ada, "three"],
  ])
  expect(runs.by?.person).toBe(bob.person)
  // Private sessions cannot be opened without an audit entry.
  expect(await call(owner, "session.get", { sessionID: hidden })).toEqual({ refused: "session_not_found" })
})

it("a person who may no longer prompt is offboarded, others are not", async () => {
  const nina = await join("Nina", "admin")
  const id = await newSession(nina.browser)
  const own = await newSession(owner)
  const when = { projectID, when: "in 500 weeks", message: "go on" }
  const schedule = z.object({ id: z.string() }).parse(await call(nina.browser, "schedule.create", when)).id
  const token = await nina.browser.post("/api/tokens", { name: "of Nina" })
  const { token: secret } = z.object({ token: z.string() }).parse(await token.json())
  const byToken = async () => (await service.browser().get("/v1/todos", { authorization: `Bearer ${secret}` })).status
  expect(await byToken()).toBe(200)
  // A weaker role, but one that may still prompt.
  expect(await call(owner, "team.setRole", { person: nina.person, role: "member" })).toBeNull()
  expect([await call(owner, "schedule.get", { schedule }), await byToken()]).toMatchObject([{ status: "active" }, 200])
  model.hold()
  await prompt(nina.browser, id, "runs")
  await prompt(owner, own, "runs too")
  await model.waits(2)
  await prompt(nina.browser, id, "waits")
  await prompt(nina.browser, own, "waits there")
  await prompt(owner, own, "of another")
  expect(await call(owner, "team.setRole", { person: nina.person, role: "viewer" })).toEqual({
    withdrawn: 2,
    stopped: 0,
    running: 1,
    paused: 1,
    webhooks: 0,
    tokens: 1,
  })
  expect([await call(owner, "schedule.get", { schedule }), await byToken()]).toMatchObject([{ status: "paused" }, 401])
  model.answer("always")
  await settled(id)
  await settled(own)
  expect([...(await prompts(id)), ...(await prompts(own))].map(([, text]) => text)).toEqual([
    "runs",
    "runs too",
    "of another",
  ])
  expect(await call(owner, "audit.list", { limit: 1, act: "person.role" })).toMatchObject({
    items: [{ targets: { name: "Nina" }, facts: { role: "viewer", withdrawn: 2, paused: 1, tokens: 1 } }],
  })
})

it("private sessions of removed people stay hidden until an owner shares them", async () => {
  const admin = await join("Edith", "admin")
  const carol = await join("Carol", "member")
  const hidden = await newSession(carol.browser, { title: "Carol alone", visibility: "author" })
  expect(await call(owner, "team.openSessions", { person: carol.person })).toEqual({ refused: "already_member" })
  await call(owner, "team.remove", { person: carol.person })
  const former = z.array(z.object({ person: z.string(), name: z.string(), hidden: z.number() }))
  expect(former.parse(await call(admin.browser, "team.former"))).toContainEqual({
    person: carol.person,
    name: "Carol",
    hidden: 1,
  })
  expect(await call(admin.browser, "team.openSessions", { person: carol.person })).toEqual({
    refused: "role_forbidden",
  })
  expect(await call(admin.browser, "session.get", { sessionID: hidden })).toEqual({ refused: "session_not_found" })
  expect(await call(owner, "team.openSessions", { person: carol.person })).toEqual({ opened: 1 })
  expect(await call(admin.browser, "session.get", { sessionID: hidden })).toMatchObject({ title: "Carol alone" })
  expect(former.parse(await call(admin.browser, "team.former")).map(({ name }) => name)).not.toContain("Carol")
  expect(await call(owner, "audit.list", { limit: 2, act: "person.opened" })).toMatchObject({
    items: [{ person: { name: "Ada" }, targets: { person: carol.person, name: "Carol" }, facts: { opened: 1 } }],
  })
})

it("offboarding stops running turns if configured and keeps others' queued prompts", async () => {
  model.answer()
  await call(owner, "workspace.update", { whenRemoved: "stop" })
  const dora = await join("Dora", "member")
  const frank = await join("Frank", "member")
  const id = await newSession(dora.browser)
  await prompt(dora.browser, id, "one")
  await model.waits(1)
  await prompt(frank.browser, id, "two")
  await prompt(dora.browser, id, "three")
  await prompt(frank.browser, id, "four")
  expect(await call(owner, "team.remove", { person: dora.person })).toMatchObject({
    withdrawn: 1,
    stopped: 1,
    running: 0,
  })
  model.answer("always")
  await settled(id)
  expect(await prompts(id)).toEqual([
    [dora.person, "one"],
    [frank.person, "two"],
    [frank.person, "four"],
  ])
})

it("simultaneous prompts of two people queue in order without loss", async () => {
  model.answer("always")
  const [grace, heidi] = [await join("Grace", "member"), await join("Heidi", "member")]
  const id = await newSession(grace.browser)
  const texts = Array.from({ length: 8 }, (_, n) => `part ${n}`)
  const promptAll = async ({ browser }: { browser: TeamBrowser }, name: string) => {
    const turns: Turn[] = []
    for (const text of texts) turns.push(await prompt(browser, id, `${name}: ${text}`))
    return turns
  }
  const turns = (await Promise.all([promptAll(grace, "Grace"), promptAll(heidi, "Heidi")])).flat()
  await settled(id)
  const said = await prompts(id)
  const inOrder = turns.toSorted((one, other) => one.time.created - other.time.created)
  const queued = inOrder.map(({ by, input }) => [
    by?.person,
    input.parts.map((part) => part.type === "text" && part.text).join(""),
  ])
  expect(said).toEqual(queued)
  for (const [{ person }, name] of [
    [grace, "Grace"],
    [heidi, "Heidi"],
  ] as const)
    expect(said.filter(([by]) => by === person).map(([, text]) => text)).toEqual(
      texts.map((text) => `${name}: ${text}`),
    )
})
