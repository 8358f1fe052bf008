import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { type Session, type Task, TaskState, type Todo, type TodoChange, TodoStatus } from "../ground/schema/index.ts"
import { taskSummary } from "../ground/schema/task.ts"
import type { Mutation, Store } from "../ground/store/port/index.ts"
import { byPosition, byRank } from "../ground/store/record/todo.ts"
import type { OpenStore } from "./make-store.ts"
import { childOf, fraction, putSessions, root, task, tenantTodo, todo, todoChange } from "./rows.ts"

/** The simple model: all rows in maps. */
interface ModelState {
  root: Session
  children: Map<string, Session>
  tasks: Map<string, Task>
  todos: Map<string, Todo>
  changes: TodoChange[]
  /** Advances with each todo change. */
  now: number
}

type Command = fc.AsyncCommand<ModelState, Store>

const pickFrom = <T>(rows: Iterable<T>, pick: number): T | undefined => {
  const list = [...rows]
  return list[Math.floor(pick * list.length)]
}

async function commit(store: Store, { root }: ModelState, mutation: Mutation): Promise<void> {
  const [change] = await store.write.commit([{ rootID: root.id, mutations: [mutation] }])
  expect(await store.feed.head(root.id)).toBe(change?.seq)
}

function command(name: string, run: (work: ModelState, store: Store) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name }
}

const startTask = (pick: number) =>
  command(`start task ${pick}`, async (work, store) => {
    const parent = pickFrom([work.root, ...work.children.values()], pick) ?? work.root
    const child = childOf(parent)
    const last = Math.max(0, ...[...work.tasks.values()].map(({ number }) => number))
    const value = task(child, last + 1, { state: "queued" })
    await commit(store, work, { kind: "session", value: child })
    await commit(store, work, { kind: "task.new", value: { ...value, number: 0 } })
    work.children.set(child.id, child)
    work.tasks.set(value.id, value)
  })

const changeTask = (pick: number, state: TaskState, result: string) =>
  command(`task ${pick} is ${state}`, async (work, store) => {
    const before = pickFrom(work.tasks.values(), pick)
    if (!before) return
    const value = { ...before, state, result }
    await commit(store, work, { kind: "task", value })
    work.tasks.set(value.id, value)
  })

const removeChild = (pick: number) =>
  command(`remove child ${pick}`, async (work, store) => {
    const gone = pickFrom(work.children.values(), pick)
    if (!gone) return
    await commit(store, work, { kind: "session.remove", sessionID: gone.id })
    const ids = new Set([gone.id])
    for (const { id, parentID } of work.children.values()) if (ids.has(parentID ?? "")) ids.add(id)
    for (const id of ids) work.children.delete(id)
    for (const { id, sessionID } of work.tasks.values()) if (ids.has(sessionID)) work.tasks.delete(id)
    for (const { id, sessionID } of work.todos.values()) if (ids.has(sessionID ?? "")) work.todos.delete(id)
    work.changes = work.changes.filter(({ sessionID }) => !ids.has(sessionID ?? ""))
  })

async function putTodo(work: ModelState, store: Store, before: Todo | null, value: Todo): Promise<void> {
  const change = todoChange(before, value, { at: work.now++ })
  if (value.sessionID === null) await store.todo.putTenantWide(value, change)
  else await commit(store, work, { kind: "todo", sessionID: value.sessionID, value, change })
  work.todos.set(value.id, value)
  work.changes.push(change)
}

const addTodo = (pick: number, position: number) =>
  command(`add todo ${pick} at ${position}`, async (work, store) => {
    const session = pickFrom([null, work.root, ...work.children.values()], pick)
    await putTodo(work, store, null, session ? todo(session, position) : tenantTodo(position))
  })

const changeTodo = (pick: number, status: TodoStatus, updated: number) =>
  command(`todo ${pick} is ${status} at ${updated}`, async (work, store) => {
    const before = pickFrom(work.todos.values(), pick)
    if (before) await putTodo(work, store, before, { ...before, status, time: { ...before.time, updated } })
  })

const removeTodo = (pick: number) =>
  command(`remove todo ${pick}`, async (work, store) => {
    const gone = pickFrom(work.todos.values(), pick)
    if (!gone) return
    const change = todoChange(gone, null, { at: work.now++ })
    const { id: todoID, sessionID } = gone
    if (sessionID === null) await store.todo.removeTenantWide(todoID, change)
    else await commit(store, work, { kind: "todo.remove", sessionID, todoID, change })
    work.todos.delete(todoID)
    work.changes.push(change)
  })

/** Compares everything that the store returns with the model. */
async function check(work: ModelState, store: Store): Promise<void> {
  const tasks = [...work.tasks.values()].sort((a, b) => a.number - b.number)
  const todos = [...work.todos.values()]
  expect(await store.task.tree(work.root.id)).toEqual(tasks.map(taskSummary))
  expect(await store.task.open(work.root.id)).toEqual(
    tasks.filter(({ state }) => state === "queued" || state === "running").sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
  for (const value of tasks) expect(await store.task.byChild(value.sessionID)).toEqual(value)
  for (const session of [work.root, ...work.children.values()]) {
    const own = todos.filter(({ sessionID }) => sessionID === session.id)
    expect(await store.todo.list(session.id)).toEqual(own.toSorted(byPosition))
    const visible = todos.filter(({ sessionID }) => sessionID === null || sessionID === session.id)
    expect(await store.todo.find({ scope: { kind: "session", sessionID: session.id }, limit: 5 })).toEqual(
      visible.sort(byRank).slice(0, 5),
    )
  }
  expect(await store.todo.find({ scope: { kind: "all" }, limit: 100 })).toEqual(todos.sort(byRank))
  for (const { id } of todos) {
    const changes = work.changes.filter(({ todoID }) => todoID === id)
    expect(await store.todo.history({ todoID: id, limit: 100 })).toEqual(changes.toReversed())
  }
}

const position = fc.nat({ max: 3 })
const commands = fc.commands<ModelState, Store, false>(
  [
    fraction.map(startTask),
    fc.tuple(fraction, fc.constantFrom(...TaskState.options), fc.string()).map((drawn) => changeTask(...drawn)),
    fraction.map(removeChild),
    fc.tuple(fraction, position).map((drawn) => addTodo(...drawn)),
    fc.tuple(fraction, position).map((drawn) => addTodo(...drawn)),
    fc.tuple(fraction, fc.constantFrom(...TodoStatus.options), position).map((drawn) => changeTodo(...drawn)),
    fraction.map(removeTodo),
  ],
  { size: "+1" },
)

export function workModelContract(open: OpenStore): void {
  it("reads tasks and todo items as a simple model does", async () => {
    const store = await open()
    await fc.assert(
      fc.asyncProperty(commands, async (history) => {
        const session = await putSessions(store, root())
        const work: ModelState = {
          root: session,
          children: new Map(),
          tasks: new Map(),
          todos: new Map(),
          changes: [],
          now: 1,
        }
        try {
          await fc.asyncModelRun(() => ({ model: work, real: store }), history)
          await check(work, store)
        } finally {
          // The next run must not find rows of this one.
          for (const value of await store.todo.find({ scope: { kind: "tenant" }, limit: 1_000 })) {
            await store.todo.removeTenantWide(value.id, todoChange(value, null))
          }
          const remove: Mutation = { kind: "session.remove", sessionID: session.id }
          await store.write.commit([{ rootID: session.id, mutations: [remove] }])
        }
      }),
      drawn(40, 12),
    )
  })
}
