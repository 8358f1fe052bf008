import { describe, expect, test } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { createJournal } from "../../ground/event/journal.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { DocketEvent } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { newSession } from "../../test/entities.ts"
import { createMemoryService } from "./create-memory-service.ts"

async function setUp() {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const events: DocketEvent[] = []
  const bus = createBus((error) => {
    throw error
  })
  bus.subscribe((event) => events.push(event))
  const journal = createJournal({ store, bus })
  const root = newSession(createID)
  const child = newSession(createID, { rootID: root.id, parentID: root.id, depth: 1, projectID: root.projectID })
  const other = newSession(createID, { projectID: root.projectID })
  await journal.commit(root.id, [
    { kind: "session", value: root },
    { kind: "session", value: child },
  ])
  await journal.commit(other.id, [{ kind: "session", value: other }])
  events.length = 0
  const time = { now: 1_000 }
  const open = () =>
    createMemoryService({
      store: store.memory,
      bus,
      createID,
      clock: () => time.now++,
      projectByID: async () => ({}),
      async sessionByID(id) {
        const session = await store.session.get(id)
        if (session === null) throw new Error(`no session ${id}`)
        return session
      },
    })
  const memory = open()
  const add = (title: string, more: Partial<Parameters<typeof memory.create>[0]> = {}) =>
    memory.create({ type: "project", title, content: "", ...more })
  const titles = async (query: Parameters<typeof memory.search>[0]) =>
    (await memory.search(query)).map(({ title }) => title)
  return { memory, add, titles, open, store, journal, events, root, child, other, time, createID }
}

describe("entries", () => {
  test("are numbered per tenant, found by id or number, changes published", async () => {
    const { memory, add, events } = await setUp()
    const first = await add("  One  ", { tags: ["a", " a ", "b"], agent: "build" })
    const second = await add("Two")
    expect([first.number, second.number]).toEqual([1, 2])
    expect(first).toMatchObject({ title: "One", tags: ["a", "b"], projectID: null, sessionID: null, agent: "build" })
    expect(await memory.get(2)).toEqual(second)
    expect(await memory.get(first.id)).toEqual(first)
    const changed = await memory.update(1, { title: "Uno", source: "the user" })
    await memory.remove(second.id)
    expect(events).toEqual([
      { type: "memory.updated", properties: { memory: first }, rootID: null, seq: null },
      { type: "memory.updated", properties: { memory: second }, rootID: null, seq: null },
      { type: "memory.updated", properties: { memory: changed }, rootID: null, seq: null },
      { type: "memory.removed", properties: { memoryID: second.id }, rootID: null, seq: null },
    ])
    await expect(memory.get(2)).rejects.toMatchObject({ code: "memory_not_found" })
  })

  test("are invalidated once and stay readable", async () => {
    const { memory, add, titles } = await setUp()
    const { id } = await add("Old fact", { content: "zebra" })
    const { time } = await add("Newer fact")
    expect(await memory.invalidate(id)).toMatchObject({ invalidatedAt: expect.any(Number) })
    await expect(memory.invalidate(1)).rejects.toMatchObject({ code: "memory_not_found" })
    await expect(memory.update(1, { title: "x" })).rejects.toMatchObject({ code: "memory_not_found" })
    expect(await memory.get(id)).toMatchObject({ title: "Old fact" })
    expect(await titles({})).toEqual(["Newer fact"])
    expect(await titles({ q: "zebra" })).toEqual([])
    expect(await titles({ q: "zebra", all: true })).toEqual(["Old fact"])
    expect(await titles({ asOf: time.created })).toEqual(["Old fact", "Newer fact"])
    const { invalidatedAt } = await memory.get(id)
    expect(await titles({ asOf: invalidatedAt ?? 0 })).toEqual(["Newer fact"])
  })

  test.each([
    ["title", { title: " " }],
    ["title", { title: "x".repeat(201) }],
    ["content", { content: "x".repeat(65_537) }],
    ["source", { source: "x".repeat(201) }],
    ["tags", { tags: [""] }],
    ["tags", { tags: ["x".repeat(65)] }],
    ["tags", { tags: Array.from({ length: 33 }, (_, n) => `t${n}`) }],
  ])("with a bad %s are refused", async (field, change) => {
    const { memory, add } = await setUp()
    await expect(add("Fine", change)).rejects.toMatchObject({ code: "invalid_input" })
    await expect(add("Fine", change)).rejects.toThrow(field)
    const { id } = await add("Fine")
    await expect(memory.update(id, change)).rejects.toMatchObject({ code: "invalid_input" })
    expect(await memory.search({})).toHaveLength(1)
  })
})

describe("who sees what", () => {
  test("a session shares entries within its tree, not with other sessions", async () => {
    const { add, titles, root, child, other } = await setUp()
    const pinned = await add("From the child", { sessionID: child.id })
    expect(pinned).toMatchObject({ sessionID: root.id, projectID: root.projectID })
    await add("Of the project", { projectID: root.projectID })
    await add("Of another project", { projectID: newSession(createIdSource()).projectID })
    await add("Of everyone")
    expect(await titles({ sessionID: root.id })).toEqual(["Of everyone", "Of the project", "From the child"])
    expect(await titles({ sessionID: other.id })).toEqual(["Of everyone", "Of the project"])
    expect(await titles({ projectID: root.projectID })).toEqual(["Of everyone", "Of the project", "From the child"])
    expect(await titles({})).toHaveLength(4)
  })

  test("the pipeline names the newest entries of the conversation only", async () => {
    const { memory, add, root, child, other } = await setUp()
    expect(await memory.pipeline(root)).toBeNull()
    await add("Of the project", { projectID: root.projectID })
    await add("Elsewhere", { sessionID: other.id })
    await add("Q3 observability rollout", { sessionID: root.id, source: "initial brief" })
    await add("Uses pnpm", { sessionID: child.id, type: "learning", agent: "explore" })
    const { id } = await add("Wrong", { sessionID: child.id })
    await memory.invalidate(id)
    expect(await memory.pipeline(child)).toBe(
      "- #4 [learning] Uses pnpm — explore\n- #3 [project] Q3 observability rollout — initial brief",
    )
    for (let n = 0; n < 20; n++) await add(`Entry ${n}`, { sessionID: root.id })
    expect((await memory.pipeline(root))?.split("\n")).toHaveLength(15)
    expect(await memory.pipeline(root, 1)).toBe("- #25 [project] Entry 19")
  })

  test("what is pinned to a removed session is not found any more", async () => {
    const { add, titles, journal, root } = await setUp()
    await add("Pinned zebra", { sessionID: root.id })
    await add("Lasting zebra")
    expect(await titles({ q: "zebra" })).toHaveLength(2)
    await journal.commit(root.id, [{ kind: "session.remove", sessionID: root.id }])
    expect(await titles({ q: "zebra" })).toEqual(["Lasting zebra"])
    expect(await titles({ limit: 1 })).toEqual(["Lasting zebra"])
  })
})

describe("search", () => {
  test("a title ranks above tags, tags above content, content above source", async () => {
    const { add, titles } = await setUp()
    await add("one", { source: "deploy" })
    await add("two", { content: "deploy" })
    await add("three", { tags: ["deploy"] })
    await add("deploy")
    expect(await titles({ q: "deploy" })).toEqual(["deploy", "three", "two", "one"])
  })

  test("words match by prefix, with a typo and without accents", async () => {
    const { add, titles } = await setUp()
    await add("Zürich office", { content: "The kubernetes cluster runs there" })
    for (const q of ["zurich", "kuber", "kubernets", "CLUSTER office"]) {
      expect(await titles({ q })).toEqual(["Zürich office"])
    }
    expect(await titles({ q: "paris" })).toEqual([])
    expect(await titles({ q: "?!" })).toEqual([])
  })

  test("types and tag leave others out; preferred ones only come first", async () => {
    const { add, titles } = await setUp()
    await add("deploy by hand", { type: "feedback", tags: ["ops"] })
    await add("deploy by script", { type: "learning" })
    await add("deploy never", { type: "user" })
    expect(await titles({ q: "deploy", types: ["feedback", "user"] })).toHaveLength(2)
    expect(await titles({ tag: "ops" })).toEqual(["deploy by hand"])
    const preferred = await titles({ q: "deploy", prefer: { types: ["feedback"] } })
    expect(preferred).toHaveLength(3)
    expect(preferred[0]).toBe("deploy by hand")
  })

  test("stays current as entries change, also in a new process", async () => {
    const { memory, add, titles, open } = await setUp()
    expect(await titles({ q: "anything" })).toEqual([])
    const { id } = await add("alpha", { content: "first" })
    expect(await titles({ q: "alpha" })).toEqual(["alpha"])
    await memory.update(id, { title: "beta" })
    expect(await titles({ q: "alpha" })).toEqual([])
    expect(await titles({ q: "beta" })).toEqual(["beta"])
    expect((await open().search({ q: "first" })).map(({ title }) => title)).toEqual(["beta"])
    await memory.remove(id)
    expect(await titles({ q: "beta" })).toEqual([])
  })

  test("pages by time of change, and narrows to what was recorded since", async () => {
    const { memory, add, titles } = await setUp()
    const [a, b] = [await add("a"), await add("b")]
    const c = await memory.update(a.id, { content: "changed" })
    expect(await titles({ before: c.time.updated })).toEqual(["b"])
    expect(await titles({ since: b.time.created })).toEqual(["b"])
  })
})
