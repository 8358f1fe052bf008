import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Todo, TodoInput } from "../../ground/schema/index.ts"
import { byUser, todoFixture } from "../../test/todo-fixture.ts"

const byOwn = { actor: { kind: "agent", name: "build" }, messageID: "msg_own", partID: "prt_own" } as const
const byChild = { actor: { kind: "agent", name: "explore" }, messageID: "msg_child" } as const

/** A list of an agent, and `send`: the agent sends its next whole list without reading the stored one again. */
async function setUp(...contents: string[]) {
  const fixture = await todoFixture()
  const { todos, session } = fixture
  const plain = (content: string, more: Partial<TodoInput> = {}): TodoInput => ({
    content,
    status: "pending",
    priority: "medium",
    ...more,
  })
  const baseline = { at: 0, partID: "prt_own", isOwn: (id: string | null) => id === "msg_own" }
  const first = await todos.write(
    session.id,
    contents.map((content) => plain(content)),
    byOwn,
    baseline,
  )
  const send = (...items: TodoInput[]) => todos.write(session.id, items, { ...byOwn, partID: "prt_next" }, baseline)
  const add = (content: string, more: object = {}) => todos.create({ sessionID: session.id, content, ...more }, byUser)
  return { ...fixture, plain, send, add, list: first.todos, baseline }
}

const shape = (todos: Todo[]) => todos.map((todo) => `${todo.number} ${todo.content}: ${todo.status}`)

describe("an agent's list over a stored one", () => {
  test("replaces the stored list when nobody else changed it", async () => {
    const { plain, send } = await setUp("one", "two")
    const { todos, remarks } = await send(plain("two", { status: "completed" }), plain("three"))
    expect(shape(todos)).toEqual(["2 two: completed", "3 three: pending"])
    expect(remarks).toEqual([])
    expect((await send()).todos).toEqual([])
  })

  test("what a person added meanwhile stays in its place, and is named", async () => {
    const { plain, send, add } = await setUp("one", "two")
    await add("urgent", { position: 0 })
    await add("between", { position: 2 })
    await add("last")
    const { todos, remarks } = await send(plain("one", { status: "in_progress" }), plain("new"))
    expect(shape(todos)).toEqual([
      "3 urgent: pending",
      "1 one: in_progress",
      "4 between: pending",
      "5 last: pending",
      "6 new: pending",
    ])
    expect(remarks).toEqual([
      '- #3 "urgent" (pending) was added by the user; it stays',
      '- #4 "between" (pending) was added by the user; it stays',
      '- #5 "last" (pending) was added by the user; it stays',
    ])
  })

  test("a person's item stays until the agent closes it explicitly", async () => {
    const { plain, send, add, baseline } = await setUp("one")
    const theirs = await add("theirs")
    baseline.at = theirs.time.created + 1
    const { todos, remarks } = await send()
    expect(shape(todos)).toEqual(["2 theirs: pending"])
    expect(remarks).toEqual([
      '- #2 "theirs" (pending) was not added by an agent: complete or cancel it, do not leave it out; it stays',
    ])
    expect(shape((await send(plain("theirs", { status: "cancelled" }))).todos)).toEqual(["2 theirs: cancelled"])
    expect((await send()).todos).toEqual([])
  })

  test("changes of others stay until the agent has seen them", async () => {
    const { plain, send, todos: service, list, baseline } = await setUp("one", "two", "three")
    await service.update(1, { status: "completed" }, byChild)
    await service.update(2, { content: "two, but better", description: "why" }, byUser)
    await service.update(3, { priority: "high" }, byUser)
    const stale = [plain("one", { status: "in_progress" }), plain("two"), plain("three", { id: list[2]?.id ?? "" })]
    const { todos, remarks } = await send(...stale)
    expect(shape(todos)).toEqual(["1 one: completed", "2 two, but better: pending", "3 three: pending"])
    expect(todos[2]?.priority).toBe("high")
    expect(todos[1]?.description).toBe("why")
    expect(remarks).toEqual([
      '- #1 "one" was changed by the agent explore; it stays: status "completed"',
      '- #2 "two, but better" was changed by the user; it stays: content "two, but better", description "why"',
      '- #3 "three" was changed by the user; it stays: priority "high"',
    ])
    baseline.at = (todos[2]?.time.updated ?? 0) + 1
    expect(shape((await send(plain("one"))).todos)).toEqual(["1 one: pending"])
  })

  test("an item that a person removed is not restored by old lists", async () => {
    const { plain, send, todos: service } = await setUp("one", "two")
    await service.remove(2, byUser)
    const { todos, remarks } = await send(plain("one"), plain("two", { status: "in_progress" }))
    expect(shape(todos)).toEqual(["1 one: pending"])
    expect(remarks).toEqual(['- #2 "two" was removed by the user; it stays removed'])
  })

  test("a person's order stays", async () => {
    const { plain, send, todos: service } = await setUp("a", "b", "c")
    await service.update(3, { position: 0 }, byUser)
    const { todos, remarks } = await send(plain("a"), plain("new"), plain("b"), plain("c"))
    expect(todos.map((todo) => todo.content)).toEqual(["c", "new", "a", "b"])
    expect(remarks).toEqual(["- others reordered the list; their order stays"])
  })

  test("an item changed by others is not dropped by an old list", async () => {
    const { plain, send, todos: service } = await setUp("one", "two")
    await service.update(2, { status: "in_progress" }, byUser)
    expect(shape((await send(plain("one"))).todos)).toEqual(["1 one: pending", "2 two: in_progress"])
  })

  test("a value that others changed and changed back is no change", async () => {
    const { plain, send, todos: service } = await setUp("one")
    await service.update(1, { status: "completed" }, { ...byOwn, partID: "prt_undone" })
    await service.update(1, { status: "pending" }, byUser)
    const { todos, remarks } = await send(plain("one", { status: "in_progress" }))
    expect(shape(todos)).toEqual(["1 one: in_progress"])
    expect(remarks).toEqual([])
  })

  test("ten thousand items of people are kept at once", async () => {
    const { plain, send, todos: service, session } = await setUp()
    const items = Array.from({ length: 10_000 }, (_, n) => plain(`item ${n}`))
    await service.replace(session.id, items, byUser)
    const { todos, remarks } = await send(plain("mine"))
    expect(todos).toHaveLength(10_001)
    expect(remarks).toHaveLength(10_000)
  })

  test("items a person removed from a long list stay removed", async () => {
    const { plain, send, todos: service, session } = await setUp()
    const items = Array.from({ length: 10_000 }, (_, n) => plain(`item ${n}`))
    const list = await service.replace(session.id, items, byUser)
    for (const todo of list.slice(0, 500)) await service.remove(todo.id, byUser)
    const gone = list.slice(0, 100).map(({ id }) => plain("reworded", { id }))
    const { todos, remarks } = await send(...gone, ...list.slice(100, 200).map(({ content }) => plain(content)))
    expect(todos).toHaveLength(9_500)
    expect(remarks.filter((remark) => remark.endsWith("it stays removed"))).toHaveLength(200)
  })
})

const contents = fc.constantFrom<string[]>("a", "b", "c", "d", "e", "f")
const statuses = fc.constantFrom("pending", "in_progress", "completed", "cancelled")
/** A change of the list by somebody else. */
const foreign = fc.oneof(
  fc.record({ kind: fc.constant("add"), content: contents, position: fc.nat(6) }),
  fc.record({ kind: fc.constant("tick"), at: fc.nat(6), status: statuses }),
  fc.record({ kind: fc.constant("reword"), at: fc.nat(6), content: contents }),
  fc.record({ kind: fc.constant("remove"), at: fc.nat(6) }),
  fc.record({ kind: fc.constant("move"), at: fc.nat(6), position: fc.nat(6) }),
)

test("an agent's list keeps simultaneous changes of others", async () => {
  const list = fc.uniqueArray(contents, { maxLength: 5 })
  const sent = fc.uniqueArray(fc.record({ content: contents, status: statuses }), { selector: (item) => item.content })
  await fc.assert(
    fc.asyncProperty(list, fc.array(foreign, { maxLength: 6 }), sent, async (first, changes, items) => {
      const { todos, session, plain, send, add, list: before } = await setUp(...first)
      for (const change of changes) {
        const now = await todos.list(session.id)
        const todo = "at" in change ? now[change.at % Math.max(1, now.length)] : undefined
        if (change.kind === "add") await add(change.content, { position: change.position })
        else if (todo === undefined) continue
        else if (change.kind === "remove") await todos.remove(todo.id, byUser)
        else if (change.kind === "tick") await todos.update(todo.id, { status: change.status }, byUser)
        else if (change.kind === "reword") await todos.update(todo.id, { content: change.content }, byUser)
        else await todos.update(todo.id, { position: change.position }, byUser)
      }
      const stored = await todos.list(session.id)
      const { todos: merged } = await send(...items.map(({ content, status }) => plain(content, { status })))
      expect(await todos.list(session.id)).toEqual(merged)
      expect(new Set(merged.map((todo) => todo.id)).size).toBe(merged.length)
      const known = new Map(before.map((todo) => [todo.id, todo]))
      const sentContents = new Set(items.map((item) => item.content))
      for (const todo of stored) {
        const old = known.get(todo.id)
        const after = merged.find(({ id }) => id === todo.id)
        if (old === undefined) expect(after, "an added item").toBeDefined()
        else if (old.status !== todo.status) expect(after?.status, "a tick").toBe(todo.status)
        else if (old.content !== todo.content) expect(after?.content, "a rewording").toBe(todo.content)
        else if (!sentContents.has(todo.content)) expect(after, "an item that the agent dropped").toBeUndefined()
      }
      // A removed item does not come back under its old id.
      for (const { id } of before) {
        if (stored.every((todo) => todo.id !== id)) expect(merged.some((todo) => todo.id === id)).toBe(false)
      }
    }),
    drawn(150, 40),
  )
})
