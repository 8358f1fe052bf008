import { expect, it } from "vitest"
import { UnknownTreeError } from "../ground/error/docket-error.ts"
import type { Mutation } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import {
  childOf,
  memory,
  newId,
  permissionRequest,
  putSessions,
  root,
  schedule,
  share,
  task,
  textPart,
  todo,
  todoChange,
  turn,
  userMessage,
} from "./rows.ts"

export function removalContract(open: OpenStore): void {
  it("removes a message with its parts", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [message, other] = [userMessage(session), userMessage(session)]
    const value = textPart(message)
    const mutations: Mutation[] = [
      { kind: "message", value: message },
      { kind: "message", value: other },
      { kind: "part", value },
    ]
    await store.write.commit([{ rootID: session.id, mutations }])
    const place = { sessionID: session.id, messageID: message.id }
    const changes = await store.write.commit([
      { rootID: session.id, mutations: [{ kind: "message.remove", ...place }] },
    ])
    expect(changes).toEqual([{ rootID: session.id, seq: 5, kind: "message.removed", ...place }])
    expect(await store.transcript.part(value.id)).toBeNull()
    const { items } = await store.transcript.page({ sessionID: session.id, limit: 10 })
    expect(items).toEqual([{ info: other, parts: [] }])
    expect((await store.feed.changesSince(session.id, 1, 10)).map(({ kind, seq }) => [kind, seq])).toEqual([
      ["message", 3],
      ["message.removed", 5],
    ])
  })

  it("removes one part", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const message = userMessage(session)
    const [gone, kept] = [textPart(message), textPart(message)]
    const place = { sessionID: session.id, messageID: message.id, partID: gone.id }
    const mutations: Mutation[] = [
      { kind: "message", value: message },
      { kind: "part", value: gone },
      { kind: "part", value: kept },
      { kind: "part.remove", ...place },
    ]
    const changes = await store.write.commit([{ rootID: session.id, mutations }])
    expect(changes.at(-1)).toEqual({ rootID: session.id, seq: 5, kind: "part.removed", ...place })
    const { items } = await store.transcript.page({ sessionID: session.id, limit: 10 })
    expect(items).toEqual([{ info: message, parts: [kept] }])
    expect(await store.feed.changesSince(session.id, 4, 10)).toEqual([changes.at(-1)])
  })

  it("keeps the order of removals and writes of one row", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const message = userMessage(session)
    const value = textPart(message)
    const remove: Mutation = { kind: "part.remove", sessionID: session.id, messageID: message.id, partID: value.id }
    const rewritten = { ...value, text: "again" }
    const mutations: Mutation[] = [
      { kind: "message", value: message },
      { kind: "part", value },
      remove,
      { kind: "part", value: rewritten },
    ]
    await store.write.commit([{ rootID: session.id, mutations }])
    expect(await store.transcript.part(value.id)).toEqual(rewritten)
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "part", value }, remove] }])
    expect(await store.transcript.part(value.id)).toBeNull()
  })

  it("removes a session with its whole subtree and all rows of it", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    const grandchild = childOf(child)
    await putSessions(store, session, child, grandchild)
    const rows = [child, grandchild].map((value) => {
      const message = userMessage(value)
      return { value, message, part: textPart(message), turn: turn(value), permission: permissionRequest(value) }
    })
    const mutations = rows.flatMap((row): Mutation[] => [
      { kind: "message", value: row.message },
      { kind: "part", value: row.part },
      { kind: "turn", value: row.turn },
      { kind: "permission", value: row.permission },
      { kind: "todos", sessionID: row.value.id, value: [todo(row.value, 0)] },
    ])
    await store.write.commit([{ rootID: session.id, mutations }])
    const changes = await store.write.commit([
      { rootID: session.id, mutations: [{ kind: "session.remove", sessionID: child.id }] },
    ])
    expect(changes).toEqual([{ rootID: session.id, seq: 14, kind: "session.removed", sessionID: child.id }])
    expect(await store.session.tree(session.id)).toEqual([session])
    for (const row of rows) {
      expect(await store.session.get(row.value.id)).toBeNull()
      expect(await store.transcript.part(row.part.id)).toBeNull()
      expect(await store.turn.get(row.turn.id)).toBeNull()
      expect(await store.permission.get(row.permission.id)).toBeNull()
      expect((await store.transcript.page({ sessionID: row.value.id, limit: 5 })).items).toEqual([])
    }
    expect([await store.turn.open(), await store.permission.pending(), await store.todo.tree(session.id)]).toEqual([
      [],
      [],
      {},
    ])
    expect((await store.feed.changesSince(session.id, 0, 100)).map(({ kind }) => kind)).toEqual([
      "session",
      "session.removed",
    ])
  })

  it("removes a session's tasks, todo changes and pinned memories, but no schedules", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    await putSessions(store, session, child)
    const [item, own] = [todo(child, 0), todo(session, 0)]
    const work = task(child, 1)
    const mutations: Mutation[] = [
      { kind: "task", value: work },
      { kind: "todo", sessionID: child.id, value: item, change: todoChange(null, item) },
      { kind: "todo", sessionID: session.id, value: own, change: todoChange(null, own) },
    ]
    await store.write.commit([{ rootID: session.id, mutations }])
    const [pinned, free] = [memory(1, { sessionID: child.id }), memory(2, { projectID: child.projectID })]
    await store.memory.put(pinned)
    await store.memory.put(free)
    const later = schedule(1, { sessionID: child.id })
    await store.schedule.put(later)
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session.remove", sessionID: child.id }] }])
    expect([await store.task.get(work.id), await store.task.open(), await store.task.tree(session.id)]).toEqual([
      null,
      [],
      [],
    ])
    expect([await store.todo.get(item.id), await store.todo.history({ todoID: item.id, limit: 9 })]).toEqual([null, []])
    expect(await store.todo.history({ limit: 9 })).toHaveLength(1)
    expect(await store.memory.list({ limit: 9 })).toEqual([free])
    expect(await store.schedule.get(later.id)).toEqual(later)
  })

  it("removes a tree with shares and grants and notifies returning readers", async () => {
    const store = await open()
    const session = root()
    await putSessions(store, session, childOf(session))
    const link = share(session, "a")
    await store.share.put(link)
    const grant = { id: newId("grant"), rootID: session.id, permission: "bash", pattern: "*", createdAt: 1 }
    await store.permission.addGrants([grant])
    const changes = await store.write.commit([
      { rootID: session.id, mutations: [{ kind: "session.remove", sessionID: session.id }] },
    ])
    expect(await store.feed.head(session.id)).toBeNull()
    expect(await store.feed.changesSince(session.id, 1, 10)).toEqual(changes)
    expect(await store.share.byHash(link.secretHash)).toBeNull()
    expect(await store.permission.grants(session.id)).toEqual([])
    expect((await store.session.listRoots({ archived: false, limit: 10 })).items).toEqual([])
  })

  it("does not let a late writer bring a removed tree back", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session.remove", sessionID: session.id }] }])
    const late: Mutation[] = [
      { kind: "session", value: session },
      { kind: "message", value: userMessage(session) },
    ]
    for (const mutation of late) {
      const commit = store.write.commit([{ rootID: session.id, mutations: [mutation] }])
      await expect(commit).rejects.toThrow(UnknownTreeError)
    }
    expect(await store.session.get(session.id)).toBeNull()
  })
}
