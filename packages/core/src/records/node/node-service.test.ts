import { expect, it } from "vitest"
import { newId, putSessions, root, turn } from "../../contract/rows.ts"
import type { NodeFacts, Turn } from "../../ground/schema/index.ts"
import { createInMemoryDatabase } from "../../ground/store/index.ts"
import { createNodeService, type NodeServiceDeps, type OneProcess } from "./node-service.ts"

const [rack, attic] = [newId("host"), newId("host")]

const facts = (fields: Partial<NodeFacts> = {}): NodeFacts => ({
  ...{ id: newId("node"), hostID: rack, role: "worker", version: "1.2.3", pid: 7, places: [`host:${rack}`] },
  ...fields,
})

const use = { memory: 100, processors: 0.5, lag: null }
const process: OneProcess = {
  ...{ id: newId("node"), host: "workshop", version: "1.2.3", pid: 7, started: 500 },
  use: () => use,
}

/** A database with two hosts, one of which has a name, and the service of its nodes. */
async function setUp(here: NodeServiceDeps["here"]) {
  const time = { ms: 1_000 }
  const database = createInMemoryDatabase({ clock: () => time.ms })
  await database.nodes.putHost({ id: rack, label: "rack" })
  await database.nodes.putHost({ id: attic, label: "" })
  /** Stores a turn of a new tree at a place. */
  const queue = async (place: string, fields: Partial<Turn> = {}, tenantID = "local") => {
    const store = database.store(tenantID)
    const projectID = newId("project")
    const where = { directory: `/${projectID}`, worktree: `/${projectID}`, ...(place !== "" && { place }) }
    await store.project.put({ id: projectID, name: "p", git: false, ...where, time: { created: 1, opened: 1 } })
    const session = await putSessions(store, root({ projectID }))
    const mutations = [{ kind: "turn" as const, value: turn(session, fields) }]
    await store.write.commit([{ rootID: session.id, mutations }])
  }
  const runBy = (runner: string): Partial<Turn> => ({ status: "running", owner: { runner, since: 1, until: 0 } })
  return { time, database, queue, runBy, nodes: createNodeService({ database, firstID: "local", here }) }
}

it("a service of one process lists itself with what it does", async () => {
  const { queue, runBy, nodes } = await setUp(process)
  expect(await nodes.list()).toEqual({
    now: 1_000,
    nodes: [
      {
        ...{ id: process.id, role: "all", version: "1.2.3", pid: 7, places: [], state: "live", isHere: true, use },
        ...{ host: { id: null, name: "workshop" }, atWork: 0, waiting: 0, time: { started: 500, seen: 1_000 } },
      },
    ],
    queues: [],
  })
  await queue("", runBy("only"))
  await queue("")
  await queue("")
  expect(await nodes.list()).toMatchObject({
    nodes: [{ atWork: 1, waiting: 2 }],
    queues: [{ place: "", name: "a service of one process", waiting: 2, isServed: true }],
  })
})

it("a node without a sign for 15 seconds is gone", async () => {
  const here = facts({ role: "web", places: [] })
  const { time, database, nodes } = await setUp(here)
  const silent = facts({ hostID: attic })
  await database.nodes.beat(silent)
  time.ms += 14_999
  await database.nodes.beat(here)
  const states = async () => (await nodes.list()).nodes.map(({ id, state }) => [id, state])
  expect(await states()).toEqual([
    [silent.id, "live"],
    [here.id, "live"],
  ])
  time.ms += 1
  expect(await states()).toEqual([
    [here.id, "live"],
    [silent.id, "gone"],
  ])
  expect((await nodes.list()).nodes).toMatchObject([
    { isHere: true, host: { id: rack, name: "rack" } },
    { isHere: false, host: { id: attic, name: attic }, time: { started: 1_000, seen: 1_000 } },
  ])
})

it("leaves out gone nodes after an hour, unless their host is empty", async () => {
  const here = facts()
  const { time, database, nodes } = await setUp(here)
  const [before, away] = [facts(), facts({ hostID: attic })]
  await database.nodes.beat(before)
  await database.nodes.beat(away)
  const listed = async () => {
    await database.nodes.beat(here)
    return new Set((await nodes.list()).nodes.map(({ id }) => id))
  }
  time.ms += 3_599_999
  expect(await listed()).toEqual(new Set([here.id, before.id, away.id]))
  time.ms += 1
  expect(await listed()).toEqual(new Set([here.id, away.id]))
})

it("counts root sessions by node and by place, in all workspaces", async () => {
  const [here, other] = [facts({ places: [`host:${rack}`, "any"] }), facts({ hostID: attic, places: ["any"] })]
  const { database, queue, runBy, nodes } = await setUp(here)
  await database.nodes.beat(here)
  await database.nodes.beat(other)
  const made = { created: 1, updated: 1 }
  const whose = { roots: null, visibility: "workspace", turns: null, whenRemoved: "finish" } as const
  await database.workspaces.put({ id: "globex", ...whose, time: made })
  await queue(`host:${rack}`, runBy(here.id))
  await queue("any", runBy(other.id), "globex")
  await queue("any", {}, "globex")
  await queue(`host:${attic}`)
  await queue("storage:team")
  // Who ran it is not there any more.
  await queue(`host:${rack}`, runBy(newId("node")))
  for (const _ of ["read", "known"]) {
    const { nodes: listed, queues } = await nodes.list()
    expect(Object.fromEntries(listed.map(({ id, atWork, waiting }) => [id, [atWork, waiting]]))).toEqual({
      [here.id]: [1, 2],
      [other.id]: [1, 1],
    })
    expect(new Set(queues)).toEqual(
      new Set([
        { place: "any", name: "any host", waiting: 1, isServed: true, awaited: null },
        { place: `host:${rack}`, name: "rack", waiting: 1, isServed: true, awaited: null },
        {
          ...{ place: `host:${attic}`, name: attic, waiting: 1, isServed: false },
          awaited: { kind: "host", name: attic, why: "gone" },
        },
        {
          ...{ place: "storage:team", name: "storage team", waiting: 1, isServed: false },
          awaited: { kind: "storage", name: "team", why: "gone" },
        },
      ]),
    )
  }
})

it("a tree with several open turns counts once", async () => {
  const here = facts()
  const { database, nodes } = await setUp(here)
  await database.nodes.beat(here)
  const store = database.store("local")
  const session = await putSessions(store, root())
  const owner = { runner: here.id, since: 1, until: 0 }
  const turns = [turn(session, { status: "running", owner }), turn(session), turn(session)]
  const mutations = turns.map((value) => ({ kind: "turn" as const, value }))
  await store.write.commit([{ rootID: session.id, mutations }])
  expect(await nodes.list()).toMatchObject({ nodes: [{ atWork: 1, waiting: 0 }], queues: [] })
})

it("a worker drains and takes work again; nobody serves its place meanwhile", async () => {
  const here = facts()
  const { database, queue, nodes } = await setUp(here)
  await database.nodes.beat(here)
  await queue(`host:${rack}`)
  expect(await nodes.drain(here.id)).toMatchObject({ id: here.id, state: "draining" })
  expect((await database.nodes.beat(here)).draining).toBe(true)
  expect(await nodes.list()).toMatchObject({
    nodes: [{ state: "draining" }],
    queues: [{ isServed: false, awaited: { why: "draining" } }],
  })
  expect(await nodes.resume(here.id)).toMatchObject({ id: here.id, state: "live" })
  expect(await nodes.list()).toMatchObject({ nodes: [{ state: "live" }], queues: [{ isServed: true }] })
})

it("a gone node that is told to drain stays gone", async () => {
  const { time, database, nodes } = await setUp({ id: newId("node") })
  const silent = facts()
  await database.nodes.beat(silent)
  time.ms += 20_000
  expect(await nodes.drain(silent.id)).toMatchObject({ state: "gone" })
  expect((await database.nodes.beat(silent)).draining).toBe(true)
})

it("refuses to drain what is no worker, and says why", async () => {
  const web = facts({ role: "web", places: [] })
  const { database, nodes } = await setUp(process)
  await database.nodes.beat(web)
  for (const act of [nodes.drain, nodes.resume]) {
    await expect(act(newId("node"))).rejects.toMatchObject({ code: "node_not_found" })
    await expect(act(process.id)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("one process"),
    })
    await expect(act(web.id)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("answers requests"),
    })
  }
  expect((await database.nodes.list()).nodes).toMatchObject([{ id: web.id, draining: false }])
})
