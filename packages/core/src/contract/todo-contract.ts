import { expect, it } from "vitest"
import type { Todo, TodoChange } from "../ground/schema/index.ts"
import type { Mutation, Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { newId, putSessions, root, tenantTodo, todo, todoChange, userMessage } from "./rows.ts"

const put = (value: Todo, before: Todo | null = null): Mutation => ({
  kind: "todo",
  sessionID: value.sessionID ?? "",
  value,
  change: todoChange(before, value),
})

async function putTenantWide(store: Store, ...todos: Todo[]): Promise<void> {
  for (const value of todos) await store.todo.putTenantWide(value, todoChange(null, value))
}

export function todoContract(open: OpenStore): void {
  it("storing single items returns the whole list ordered by position", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [first, second, third] = [todo(session, 0), todo(session, 1), todo(session, 2)]
    await store.write.commit([
      { rootID: session.id, mutations: [{ kind: "todos", sessionID: session.id, value: [second] }] },
    ])
    const done = { ...second, status: "completed" as const }
    const remove = {
      kind: "todo.remove",
      sessionID: session.id,
      todoID: first.id,
      change: todoChange(first, null),
    } as const
    const mutations: Mutation[] = [put(third), put(first), put(done, second), remove]
    const changes = await store.write.commit([{ rootID: session.id, mutations }])
    const lists = [
      [second, third],
      [first, second, third],
      [first, done, third],
      [done, third],
    ]
    expect(changes).toEqual(
      lists.map((value, index) => ({
        rootID: session.id,
        seq: index + 3,
        kind: "todos",
        sessionID: session.id,
        value,
      })),
    )
    expect(await store.todo.list(session.id)).toEqual([done, third])
    expect(await store.feed.changesSince(session.id, 2, 10)).toEqual([changes.at(-1)])
  })

  it("mixes replacements and single items in one commit", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [first, second, third] = [todo(session, 0), todo(session, 1), todo(session, 2)]
    const replace = (...value: Todo[]): Mutation => ({ kind: "todos", sessionID: session.id, value })
    await store.write.commit([{ rootID: session.id, mutations: [replace(first)] }])
    const mutations = [put(second), replace(third), put(first)]
    const changes = await store.write.commit([{ rootID: session.id, mutations }])
    expect(changes.map((change) => change.kind === "todos" && change.value)).toEqual([
      [first, second],
      [third],
      [first, third],
    ])
    expect(await store.todo.list(session.id)).toEqual([first, third])
  })

  it("forgets a change whose transaction failed", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const commit = (...mutations: Mutation[]) => store.write.commit([{ rootID: session.id, mutations }])
    const [first, lost, third] = [todo(session, 0), todo(session, 1), todo(session, 2)]
    await commit(put(first))
    expect(await store.todo.list(session.id)).toEqual([first])
    const stray = userMessage(root())
    await expect(commit(put(lost), { kind: "message", value: stray })).rejects.toMatchObject({
      code: "session_not_found",
    })
    expect(await store.todo.list(session.id)).toEqual([first])
    const [change] = await commit(put(third))
    expect(change).toMatchObject({ kind: "todos", value: [first, third] })
    expect(await store.todo.list(session.id)).toEqual([first, third])
    expect(await store.todo.tree(session.id)).toEqual({ [session.id]: [first, third] })
  })

  it("refuses an item of an unknown session and discards the commit", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const mutations = [put(todo(session, 0)), put(todo(root(), 0))]
    await expect(store.write.commit([{ rootID: session.id, mutations }])).rejects.toThrow()
    expect([await store.todo.list(session.id), await store.todo.history({ limit: 5 })]).toEqual([[], []])
  })

  it("finds items by id and number, of a session and tenant-wide", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const own = todo(session, 0, { number: 7, dependsOn: [newId("todo")], proposed: { taskID: newId("task"), at: 5 } })
    const wide = tenantTodo(0, { number: 8, owner: { agent: "build", sessionID: session.id, taskID: null } })
    await store.write.commit([{ rootID: session.id, mutations: [put(own)] }])
    await putTenantWide(store, wide)
    expect([await store.todo.get(own.id), await store.todo.byNumber(7)]).toEqual([own, own])
    expect([await store.todo.get(wide.id), await store.todo.byNumber(8)]).toEqual([wide, wide])
    expect([await store.todo.get(newId("todo")), await store.todo.byNumber(9)]).toEqual([null, null])
    expect([await store.todo.list(session.id), await store.todo.tree(session.id)]).toEqual([
      [own],
      { [session.id]: [own] },
    ])
    expect(await store.feed.head(session.id)).toBe(2)
  })

  it("orders items by status, position and latest update, in three scopes", async () => {
    const store = await open()
    const [session, other] = [root(), root()]
    await putSessions(store, session)
    await putSessions(store, other)
    const at = (updated: number) => ({ created: 1, updated, completed: null })
    const working = todo(session, 5, { status: "in_progress", agent: "build" })
    const newer = tenantTodo(1, { time: at(9), agent: "build" })
    const older = todo(session, 1, { time: at(8) })
    const elsewhere = todo(other, 1, { time: at(7) })
    const later = tenantTodo(2, { time: at(10) })
    const done = tenantTodo(0, { status: "completed" })
    const dropped = todo(session, 0, { status: "cancelled" })
    for (const value of [dropped, older, working])
      await store.write.commit([{ rootID: session.id, mutations: [put(value)] }])
    await store.write.commit([{ rootID: other.id, mutations: [put(elsewhere)] }])
    await putTenantWide(store, done, later, newer)
    const all = { kind: "all" } as const
    const find = (query: Partial<Parameters<Store["todo"]["find"]>[0]>) =>
      store.todo.find({ scope: all, limit: 20, ...query })
    expect(await find({})).toEqual([working, newer, older, elsewhere, later, done, dropped])
    expect(await find({ scope: { kind: "tenant" } })).toEqual([newer, later, done])
    const ofSession = { kind: "session", sessionID: session.id } as const
    expect(await find({ scope: ofSession })).toEqual([working, newer, older, later, done, dropped])
    expect(await find({ scope: ofSession, limit: 3 })).toEqual([working, newer, older])
    expect(await find({ status: "pending" })).toEqual([newer, older, elsewhere, later])
    expect(await find({ agent: "build" })).toEqual([working, newer])
    expect(await find({ scope: ofSession, agent: "build", status: "pending" })).toEqual([newer])
  })

  it("replaces and removes tenant-wide items, but not session items", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [own, wide] = [todo(session, 0), tenantTodo(0)]
    await store.write.commit([{ rootID: session.id, mutations: [put(own)] }])
    await putTenantWide(store, wide)
    const started = { ...wide, status: "in_progress" as const }
    await store.todo.putTenantWide(started, todoChange(wide, started))
    expect(await store.todo.find({ scope: { kind: "tenant" }, limit: 5 })).toEqual([started])
    await store.todo.removeTenantWide(wide.id, todoChange(started, null))
    await store.todo.removeTenantWide(own.id, todoChange(own, null))
    expect(await store.todo.find({ scope: { kind: "all" }, limit: 5 })).toEqual([own])
  })

  it("keeps the history of changes, newest first, also of removed items", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const item = todo(session, 0)
    const done = { ...item, status: "completed" as const }
    const partID = newId("part")
    const made = todoChange(null, item, { at: 1, actor: { kind: "agent", name: "build" }, partID })
    const ended = todoChange(item, done, { at: 2 })
    const gone = todoChange(done, null, { at: 2 })
    const change = (value: Todo[], changes: TodoChange[]): Mutation => ({
      kind: "todos",
      sessionID: session.id,
      value,
      changes,
    })
    const commit = (...mutations: Mutation[]) => store.write.commit([{ rootID: session.id, mutations }])
    await commit(change([item], [made]))
    await commit({ kind: "todo", sessionID: session.id, value: done, change: ended })
    await commit(change([], [gone]))
    const wide = tenantTodo(0)
    const madeWide = todoChange(null, wide, { at: 3 })
    await store.todo.putTenantWide(wide, madeWide)
    expect(await store.todo.history({ todoID: item.id, limit: 9 })).toEqual([gone, ended, made])
    expect(await store.todo.history({ sessionID: session.id, limit: 2 })).toEqual([gone, ended])
    expect(await store.todo.history({ todoID: wide.id, limit: 9 })).toEqual([madeWide])
    expect(await store.todo.history({ limit: 9 })).toEqual([madeWide, gone, ended, made])
  })
}
