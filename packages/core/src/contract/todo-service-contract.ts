import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { listAt } from "../ground/message/list-at.ts"
import type { Todo, TodoStatus } from "../ground/schema/index.ts"
import { byAgent, byUser, todoFixture } from "../test/todo-fixture.ts"
import type { OpenStore } from "./make-store.ts"

/** The fields of an item in the simple model. */
interface Item {
  number: number
  content: string
  status: TodoStatus
  dependsOn: number[]
}

interface Model {
  /** The session's list and the tenant-wide list, each in order. */
  pinned: Item[]
  wide: Item[]
  lastNumber: number
}

type Real = Awaited<ReturnType<typeof todoFixture>>
type Command = fc.AsyncCommand<Model, Real>

const isClosed = (item: Item) => item.status === "completed" || item.status === "cancelled"
const everyItem = (model: Model) => [...model.pinned, ...model.wide]
const at = (model: Model, index: number) => everyItem(model)[index % everyItem(model).length]

function isBlocked(model: Model, item: Item): boolean {
  return item.dependsOn.some((number) => everyItem(model).some((other) => other.number === number && !isClosed(other)))
}

function reaches(model: Model, from: number, to: number, seen = new Set<number>()): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  const item = everyItem(model).find((candidate) => candidate.number === from)
  return item?.dependsOn.some((next) => reaches(model, next, to, seen)) ?? false
}

async function expectAgreement(model: Model, real: Real): Promise<void> {
  const shape = (todo: Todo) => ({ number: todo.number, content: todo.content, status: todo.status })
  const expected = ({ dependsOn: _, ...item }: Item) => item
  expect((await real.todos.list(real.session.id)).map(shape)).toEqual(model.pinned.map(expected))
  const wide = await real.todos.find({ scope: { kind: "tenant" } })
  expect(wide.toSorted((a, b) => a.position - b.position).map(shape)).toEqual(model.wide.map(expected))
  for (const todo of wide)
    expect(todo.time.completed !== null).toBe(todo.status === "completed" || todo.status === "cancelled")
}

const add = (content: string, pinned: boolean): Command => ({
  check: () => true,
  async run(model, real) {
    model.lastNumber += 1
    const item: Item = { number: model.lastNumber, content, status: "pending", dependsOn: [] }
    ;(pinned ? model.pinned : model.wide).push(item)
    const made = await real.todos.create({ sessionID: pinned ? real.session.id : null, content }, byUser)
    expect(made.number).toBe(item.number)
    await expectAgreement(model, real)
  },
  toString: () => `add ${content} ${pinned ? "pinned" : "wide"}`,
})

const setStatus = (index: number, status: TodoStatus): Command => ({
  check: (model) => everyItem(model).length > 0,
  async run(model, real) {
    const item = at(model, index)
    if (item === undefined) return
    const refused = status === "in_progress" && item.status !== "in_progress" && isBlocked(model, item)
    const update = real.todos.update(item.number, { status }, byAgent)
    if (refused) await expect(update).rejects.toMatchObject({ code: "todo_blocked" })
    else {
      await update
      item.status = status
    }
    await expectAgreement(model, real)
  },
  toString: () => `status ${index} ${status}`,
})

const depend = (index: number, on: number): Command => ({
  check: (model) => everyItem(model).length > 1,
  async run(model, real) {
    const [item, other] = [at(model, index), at(model, on)]
    if (item === undefined || other === undefined) return
    const update = real.todos.update(item.number, { dependsOn: [`#${other.number}`] }, byUser)
    if (model.wide.includes(item) && model.pinned.includes(other)) {
      await expect(update).rejects.toMatchObject({ code: "todo_not_found" })
    } else if (reaches(model, other.number, item.number)) {
      await expect(update).rejects.toMatchObject({ code: "todo_cycle" })
    } else {
      await update
      item.dependsOn = [other.number]
    }
    await expectAgreement(model, real)
  },
  toString: () => `depend ${index} on ${on}`,
})

const move = (index: number, to: number): Command => ({
  check: (model) => everyItem(model).length > 0,
  async run(model, real) {
    const item = at(model, index)
    if (item === undefined) return
    const list = model.pinned.includes(item) ? model.pinned : model.wide
    list.splice(list.indexOf(item), 1)
    list.splice(to, 0, item)
    await real.todos.update(item.number, { position: to }, byUser)
    await expectAgreement(model, real)
  },
  toString: () => `move ${index} to ${to}`,
})

const remove = (index: number): Command => ({
  check: (model) => everyItem(model).length > 0,
  async run(model, real) {
    const item = at(model, index)
    if (item === undefined) return
    model.pinned = model.pinned.filter((other) => other !== item)
    model.wide = model.wide.filter((other) => other !== item)
    await real.todos.remove(item.number, byUser)
    await expectAgreement(model, real)
  },
  toString: () => `remove ${index}`,
})

const rewrite = (contents: string[]): Command => ({
  check: () => true,
  async run(model, real) {
    const free = [...model.pinned]
    model.pinned = contents.map((content) => {
      const known = free.findIndex((item) => item.content === content)
      const [kept] = known < 0 ? [] : free.splice(known, 1)
      if (kept !== undefined) return { ...kept, status: "pending" }
      model.lastNumber += 1
      return { number: model.lastNumber, content, status: "pending", dependsOn: [] }
    })
    const numbers = new Set(everyItem(model).map((item) => item.number))
    for (const item of model.pinned) item.dependsOn = item.dependsOn.filter((number) => numbers.has(number))
    const items = contents.map((content) => ({ content, status: "pending", priority: "medium" }) as const)
    await real.todos.replace(real.session.id, items, byAgent)
    await expectAgreement(model, real)
  },
  toString: () => `rewrite ${contents.join(",")}`,
})

const content = fc.constantFrom("a", "b", "c", "d", "e", "f")
const index = fc.nat(20)
const status = fc.constantFrom<TodoStatus>("pending", "in_progress", "completed", "cancelled")
const commands = [
  fc.tuple(content, fc.boolean()).map(([text, pinned]) => add(text, pinned)),
  fc.tuple(index, status).map(([n, to]) => setStatus(n, to)),
  fc.tuple(index, index).map(([n, on]) => depend(n, on)),
  fc.tuple(index, fc.nat(6)).map(([n, to]) => move(n, to)),
  index.map(remove),
  fc.uniqueArray(content, { maxLength: 5 }).map(rewrite),
]

/** Tests that the todo service behaves like a simple model, and that its history leads back to every earlier list. */
export function todoServiceContract(open: OpenStore): void {
  it("matches a simple model; history leads to every earlier list", async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 25 }), async (run) => {
        const real = await todoFixture(await open())
        const model: Model = { pinned: [], wide: [], lastNumber: 0 }
        await fc.asyncModelRun(() => ({ model, real }), run)
        const changes = await real.todos.history({ sessionID: real.session.id, limit: 1_000 })
        const current = await real.todos.list(real.session.id)
        expect(listAt(changes, current, 0)).toEqual([])
        for (const change of changes) {
          const then = listAt(changes, current, change.id)
          expect(then.find((todo) => todo.id === change.todoID) ?? null).toEqual(change.after)
        }
      }),
      drawn(25, 8),
    )
  })
}
