import { describe, expect, test } from "vitest"
import type { TodoInput, ToolPart } from "../../ground/schema/index.ts"
import { newSession, newUserMessage } from "../../test/entities.ts"
import { byAgent, byUser, todoFixture } from "../../test/todo-fixture.ts"

async function setUp() {
  const fixture = await todoFixture()
  const { todos, session } = fixture
  const write = (...items: Partial<TodoInput>[]) =>
    todos.replace(
      session.id,
      items.map((item) => ({ content: "x", status: "pending", priority: "medium", ...item })),
      byAgent,
    )
  const add = (content: string, patch: object = {}) =>
    todos.create({ sessionID: session.id, content, ...patch }, byUser)
  const contents = async () => (await todos.list(session.id)).map((todo) => todo.content)
  return { ...fixture, write, add, contents }
}

describe("replacing the list", () => {
  test("stores the whole list and publishes it in todo.updated", async () => {
    const { session, todos, events, write } = await setUp()
    await write({ content: "one" }, { content: "two" })
    await write({ content: "two" }, { content: "three" })
    const stored = await todos.list(session.id)
    expect(stored.map((todo) => [todo.content, todo.position])).toEqual([
      ["two", 0],
      ["three", 1],
    ])
    expect(events.at(-1)).toMatchObject({ type: "todo.updated", properties: { sessionID: session.id, todos: stored } })
  })

  test("an item keeps its id and number by id or exact content", async () => {
    const { write } = await setUp()
    const [one, two] = await write({ content: "one" }, { content: "two" })
    const next = await write({ content: "two" }, { id: one?.id ?? "", content: "one, reworded" }, { content: "three" })
    expect(next.map((todo) => [todo.id, todo.number])).toEqual([
      [two?.id, 2],
      [one?.id, 1],
      [next[2]?.id, 3],
    ])
  })

  test("what an item leaves out stays: description, dependencies and owner", async () => {
    const { write, todos, session } = await setUp()
    const [, two] = await write({ content: "one" }, { content: "two", description: "why", dependsOn: ["one"] })
    const owner = { agent: "explore", sessionID: null, taskID: null }
    await todos.update(two?.number ?? 0, { owner }, byAgent)
    const [first, second] = await write({ content: "one" }, { content: "two", priority: "high" })
    expect(second).toMatchObject({ description: "why", dependsOn: [first?.id], owner, priority: "high" })
    await write({ content: "two" })
    expect((await todos.list(session.id))[0]?.dependsOn).toEqual([])
  })

  test("an empty list clears it", async () => {
    const { session, todos, write } = await setUp()
    await write({ content: "one" })
    expect(await write()).toEqual([])
    expect(await todos.list(session.id)).toEqual([])
  })

  test("a cycle or the start of a blocked item stores nothing", async () => {
    const { write, contents } = await setUp()
    await write({ content: "one" })
    await expect(write({ content: "a", dependsOn: ["b"] }, { content: "b", dependsOn: ["a"] })).rejects.toMatchObject({
      code: "todo_cycle",
    })
    const blocked = write({ content: "one" }, { content: "two", status: "in_progress", dependsOn: ["one"] })
    await expect(blocked).rejects.toMatchObject({ code: "todo_blocked", message: expect.stringContaining('#1 "one"') })
    expect(await contents()).toEqual(["one"])
  })
})

describe("statuses", () => {
  test("any transition into completed or cancelled stamps the time, reopening clears it", async () => {
    const { add, todos } = await setUp()
    const { number } = await add("one")
    const done = await todos.update(number, { status: "completed" }, byUser)
    expect(done.time.completed).toBe(done.time.updated)
    const same = await todos.update(number, { status: "completed" }, byUser)
    expect(same).toEqual(done)
    const dropped = await todos.update(number, { status: "cancelled" }, byUser)
    expect(dropped.time.completed).toBeGreaterThan(done.time.completed ?? 0)
    const open = await todos.update(number, { status: "in_progress" }, byUser)
    expect(open.time.completed).toBeNull()
  })

  test("a completion time that the caller passes is kept", async () => {
    const { add, todos } = await setUp()
    const { number } = await add("one")
    const done = await todos.update(number, { status: "completed", completed: 5 }, byUser)
    expect(done.time.completed).toBe(5)
    expect((await add("two", { status: "completed" })).time.completed).toEqual(expect.any(Number))
  })

  test("pending can become cancelled directly; only status changes set the completion time", async () => {
    const { add, todos } = await setUp()
    const { number } = await add("one")
    const dropped = await todos.update(number, { status: "cancelled" }, byUser)
    expect(dropped.time.completed).not.toBeNull()
    const edited = await todos.update(number, { content: "two", description: "why", position: 3 }, byUser)
    expect(edited.time.completed).toBe(dropped.time.completed)
    expect(edited.time.updated).toBeGreaterThan(dropped.time.updated)
  })

  test("a change of status clears a proposal", async () => {
    const { add, todos, createID } = await setUp()
    const { id } = await add("one")
    const proposed = { taskID: createID("task"), at: 1 }
    expect(await todos.update(id, { proposed }, byAgent)).toMatchObject({ proposed, status: "pending" })
    expect((await todos.update(id, { status: "completed" }, byUser)).proposed).toBeNull()
  })
})

describe("dependencies", () => {
  test("starting a blocked item names the blockers; completing it is allowed", async () => {
    const { add, todos } = await setUp()
    const one = await add("one")
    const two = await add("two", { dependsOn: ["#1"] })
    expect(two.dependsOn).toEqual([one.id])
    await expect(todos.update(two.id, { status: "in_progress" }, byUser)).rejects.toMatchObject({
      code: "todo_blocked",
      message: expect.stringContaining('blocked by #1 "one" (pending)'),
    })
    await expect(todos.update(two.id, { status: "completed" }, byUser)).resolves.toMatchObject({ status: "completed" })
    await todos.update(one.id, { status: "cancelled" }, byUser)
    await expect(todos.update(two.id, { status: "in_progress" }, byUser)).resolves.toBeDefined()
  })

  test("a cycle is refused with its path; an unknown item is refused", async () => {
    const { add, todos } = await setUp()
    const one = await add("one")
    await add("two", { dependsOn: ["one"] })
    await add("three", { dependsOn: ["2"] })
    const circle = todos.update(one.id, { dependsOn: ["3"] }, byUser)
    await expect(circle).rejects.toMatchObject({
      code: "todo_cycle",
      message: expect.stringContaining("#1 → #3 → #2 → #1"),
    })
    await expect(todos.update(1, { dependsOn: ["1"] }, byUser)).rejects.toMatchObject({ code: "todo_cycle" })
    await expect(todos.update(1, { dependsOn: ["99"] }, byUser)).rejects.toMatchObject({ code: "todo_not_found" })
    expect((await todos.get(1)).dependsOn).toEqual([])
  })

  test("an item may depend on tenant-wide items, not on other sessions' items", async () => {
    const { add, todos, journal, createID } = await setUp()
    const wide = await todos.create({ sessionID: null, content: "ticket" }, byUser)
    expect((await add("one", { dependsOn: [String(wide.number)] })).dependsOn).toEqual([wide.id])
    const other = newSession(createID)
    await journal.commit(other.id, [{ kind: "session", value: other }])
    const foreign = await todos.create({ sessionID: other.id, content: "x" }, byUser)
    await expect(add("two", { dependsOn: [foreign.id] })).rejects.toMatchObject({ code: "todo_not_found" })
  })
})

describe("places", () => {
  test("items are appended; a move shifts the others and is one event", async () => {
    const { add, todos, contents, events } = await setUp()
    for (const content of ["a", "b", "c", "d"]) await add(content)
    expect((await todos.list((await todos.get(1)).sessionID ?? "")).map((todo) => todo.position)).toEqual([0, 1, 2, 3])
    const before = events.length
    expect(await todos.update(4, { position: 1 }, byUser)).toMatchObject({ content: "d", position: 1 })
    expect(await contents()).toEqual(["a", "d", "b", "c"])
    expect(events.length - before).toBe(1)
    await todos.update(1, { position: 99 }, byUser)
    expect(await contents()).toEqual(["d", "b", "c", "a"])
    await add("first", { position: 0 })
    expect(await contents()).toEqual(["first", "d", "b", "c", "a"])
  })

  test("tenant-wide items have places of their own", async () => {
    const { todos } = await setUp()
    for (const content of ["a", "b", "c"]) await todos.create({ sessionID: null, content }, byUser)
    await todos.update(3, { position: 0 }, byUser)
    await todos.create({ sessionID: null, content: "d" }, byUser)
    const found = await todos.find({ scope: { kind: "tenant" } })
    expect(found.map((todo) => todo.content)).toEqual(["c", "a", "b", "d"])
  })
})

test("a session sees its own and tenant-wide items", async () => {
  const { add, todos, session, events } = await setUp()
  await add("pinned")
  const wide = await todos.create({ sessionID: null, content: "wide" }, byUser)
  expect(events.at(-1)).toEqual({ type: "todo.item.updated", rootID: null, seq: null, properties: { todo: wide } })
  const found = await todos.find({ scope: { kind: "session", sessionID: session.id } })
  expect(found.map((todo) => todo.content).sort()).toEqual(["pinned", "wide"])
  expect((await todos.list(session.id)).map((todo) => todo.content)).toEqual(["pinned"])
  await todos.remove(wide.id, byUser)
  expect(events.at(-1)).toMatchObject({ type: "todo.item.removed", properties: { todoID: wide.id } })
  await expect(todos.get(wide.number)).rejects.toMatchObject({ code: "todo_not_found" })
})

test("simultaneous changes of one list lose nothing", async () => {
  const { add, todos, write, contents } = await setUp()
  await add("one")
  await Promise.all([
    todos.update(1, { status: "in_progress" }, byAgent),
    todos.update(1, { description: "why" }, byUser),
    todos.update("#1", { priority: "high" }, byUser),
    ...Array.from({ length: 10 }, (_, n) => add(`more ${n}`)),
  ])
  expect(await todos.get(1)).toMatchObject({ status: "in_progress", description: "why", priority: "high" })
  expect(await contents()).toHaveLength(11)
  await Promise.all([write({ content: "kept" }), add("added at once")])
  expect(await contents()).toEqual(["kept", "added at once"])
})

test("history tells who changed what in which call, newest first", async () => {
  const { add, todos, session, createID } = await setUp()
  await add("one")
  const origin = { ...byAgent, messageID: createID("message"), partID: createID("part") }
  await todos.update(1, { status: "in_progress" }, origin)
  await todos.update(1, { status: "in_progress" }, origin)
  await todos.remove(1, byUser)
  const history = await todos.history({ sessionID: session.id })
  expect(history.map((change) => [change.actor.name, change.before?.status, change.after?.status])).toEqual([
    ["user", "in_progress", undefined],
    ["build", "pending", "in_progress"],
    ["user", undefined, "pending"],
  ])
  expect(history[1]).toMatchObject({ messageID: origin.messageID, partID: origin.partID })
})

test("evidence spans last from in_progress to the next status change", async () => {
  const { add, todos, session, createID } = await setUp()
  await add("one")
  expect(await todos.evidence(1)).toBeNull()
  const [from, to] = [createID("part"), createID("part")]
  await todos.update(1, { status: "in_progress" }, { ...byAgent, partID: from })
  await todos.update(1, { description: "still" }, byAgent)
  await todos.update(1, { status: "completed" }, { ...byAgent, partID: to })
  await todos.update(1, { status: "in_progress" }, byUser)
  expect(await todos.evidence(1)).toEqual({
    sessionID: session.id,
    spans: [
      { fromPartID: from, toPartID: to, startedAt: expect.any(Number), endedAt: expect.any(Number), worked: null },
      { fromPartID: null, toPartID: null, startedAt: expect.any(Number), endedAt: null, worked: null },
    ],
  })
})

test("evidence says whether anything was done while an item was in progress", async () => {
  const { add, todos, session, journal, createID } = await setUp()
  await add("one")
  await add("two")
  const info = newUserMessage(createID, session.id)
  const state = {
    status: "completed",
    input: {},
    output: "",
    title: "",
    metadata: {},
    time: { start: 1, end: 2 },
  } as const
  const call = (tool: string): ToolPart => {
    const id = createID("part")
    return { id, sessionID: session.id, messageID: info.id, type: "tool", callID: id, tool, state }
  }
  const calls = ["todowrite", "todoupdate", "bash", "todowrite"].map(call)
  const parts = calls.map((value) => ({ kind: "part", value }) as const)
  await journal.commit(session.id, [{ kind: "message", value: info }, ...parts])
  const set = (number: number, status: "in_progress" | "completed", part: ToolPart | undefined) =>
    todos.update(number, { status }, { ...byAgent, ...(part && { partID: part.id }) })
  // While #1 is in progress no other tool runs; while #2 is, bash does.
  await set(1, "in_progress", calls[0])
  await set(1, "completed", calls[1])
  await set(2, "in_progress", calls[1])
  await set(2, "completed", calls[3])
  const worked = async (number: number) => (await todos.evidence(number))?.spans.map((span) => span.worked)
  expect(await worked(1)).toEqual([false])
  expect(await worked(2)).toEqual([true])
})

test("the lists of a tree are returned by session for any member", async () => {
  const { add, todos, session, journal, createID } = await setUp()
  await add("one")
  const child = newSession(createID, { rootID: session.id, parentID: session.id, depth: 1 })
  await journal.commit(session.id, [{ kind: "session", value: child }])
  await todos.create({ sessionID: child.id, content: "child's" }, byAgent)
  const lists = await todos.tree(child.id)
  expect(
    Object.values(lists)
      .flat()
      .map((todo) => todo.content)
      .sort(),
  ).toEqual(["child's", "one"])
  await expect(todos.list(createID("session"))).rejects.toMatchObject({ code: "session_not_found" })
})
