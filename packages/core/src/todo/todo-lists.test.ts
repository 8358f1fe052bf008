import fc from "fast-check"
import { expect, test } from "vitest"
import { createGlobalBus } from "../event/global-bus.ts"
import { createJournal } from "../event/journal.ts"
import { createIdSource } from "../id/create-id.ts"
import type { DocketEvent, TodoInput } from "../schema/index.ts"
import { createMemoryStore } from "../store/index.ts"
import { newSession } from "../test/entities.ts"
import { createTodoLists } from "./todo-lists.ts"

async function setUp() {
  const createID = createIdSource()
  const store = createMemoryStore()
  const bus = createGlobalBus((error) => {
    throw error
  })
  const events: DocketEvent[] = []
  bus.subscribe(({ event }) => events.push(event))
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  let now = 1_000
  const todos = createTodoLists({ store, journal, createID, clock: () => now++ })
  const write = (...items: Partial<TodoInput>[]) =>
    todos.replace(
      session,
      items.map((item) => ({ content: "x", status: "pending", priority: "medium", ...item })),
      "build",
    )
  return { session, todos, events, write }
}

test("the whole list is replaced and todo.updated carries the whole list", async () => {
  const { session, todos, events, write } = await setUp()
  await write({ content: "one" }, { content: "two" })
  await write({ content: "two" }, { content: "three" })
  const stored = await todos.list(session.id)
  expect(stored.map((todo) => [todo.content, todo.position])).toEqual([
    ["two", 0],
    ["three", 1],
  ])
  const last = events.at(-1)
  expect(last).toMatchObject({ type: "todo.updated", properties: { sessionID: session.id, todos: stored } })
})

test("an item keeps its id and number when it matches by id, else by exact content", async () => {
  const { write } = await setUp()
  const [one, two] = await write({ content: "one" }, { content: "two" })
  const next = await write({ content: "two" }, { id: one?.id ?? "", content: "one, reworded" }, { content: "three" })
  expect(next.map((todo) => [todo.id, todo.number])).toEqual([
    [two?.id, 2],
    [one?.id, 1],
    [next[2]?.id, 3],
  ])
})

test("completing stamps the time once and reopening clears it", async () => {
  const { write } = await setUp()
  await write({ content: "one" })
  const [done] = await write({ content: "one", status: "completed" })
  expect(done?.time.completed).toEqual(expect.any(Number))
  const [same] = await write({ content: "one", status: "completed" })
  expect(same?.time.completed).toBe(done?.time.completed)
  expect(same?.time.updated).toBe(done?.time.updated)
  const [open] = await write({ content: "one", status: "in_progress" })
  expect(open?.time.completed).toBeNull()
})

test("an empty list clears it", async () => {
  const { session, todos, write } = await setUp()
  await write({ content: "one" })
  expect(await write()).toEqual([])
  expect(await todos.list(session.id)).toEqual([])
})

test("after any writes the list is what was written last, numbers are unique and an unchanged content keeps its number", async () => {
  const items = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(fc.array(items, { minLength: 1, maxLength: 6 }), async (writes) => {
      const { session, todos, write } = await setUp()
      const numbers = new Map<string, number>()
      let before = new Set<string>()
      for (const contents of writes) {
        const stored = await write(...contents.map((content) => ({ content })))
        expect(stored.map((todo) => todo.content)).toEqual(contents)
        expect(new Set(stored.map((todo) => todo.number)).size).toBe(stored.length)
        for (const todo of stored) {
          if (before.has(todo.content)) expect(todo.number).toBe(numbers.get(todo.content))
          numbers.set(todo.content, todo.number)
        }
        before = new Set(contents)
        expect(await todos.list(session.id)).toEqual(stored)
      }
    }),
    { numRuns: 50 },
  )
})
