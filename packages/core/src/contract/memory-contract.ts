import { expect, it } from "vitest"
import { DocketError } from "../ground/error/docket-error.ts"
import type { Memory } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { memory, newId, putSessions, root } from "./rows.ts"

async function putAll(store: Store, ...memories: Memory[]): Promise<void> {
  for (const value of memories) await store.memory.put(value)
}

export function memoryContract(open: OpenStore): void {
  it("keeps, changes and removes entries, found by id and number", async () => {
    const store = await open()
    const value = memory(await store.memory.reserveNumber(), { content: "nul \0 日本語" })
    expect(value.number).toBe(1)
    expect(await store.memory.reserveNumber()).toBe(2)
    expect(await store.write.reserveTodoNumbers(1)).toBe(1)
    await store.memory.put(value)
    const changed = { ...value, title: "Changed" }
    await store.memory.put(changed)
    expect([await store.memory.get(value.id), await store.memory.byNumber(1)]).toEqual([changed, changed])
    await store.memory.remove(value.id)
    await store.memory.remove(value.id)
    expect([await store.memory.get(value.id), await store.memory.byNumber(1)]).toEqual([null, null])
  })

  it("pins entries only to sessions that exist", async () => {
    const store = await open()
    await expect(store.memory.put(memory(1, { sessionID: newId("session") }))).rejects.toThrow(DocketError)
    expect(await store.memory.list({ limit: 5 })).toEqual([])
  })

  it("lists newest first what a project or session may see", async () => {
    const store = await open()
    const session = root()
    const other = root({ projectID: session.projectID })
    await putSessions(store, session)
    await putSessions(store, other)
    const { projectID } = session
    const ofAll = memory(1, { time: { created: 1, updated: 9 } })
    const ofProject = memory(2, { projectID, time: { created: 2, updated: 2 } })
    const pinned = memory(3, { projectID, sessionID: session.id, time: { created: 3, updated: 3 } })
    const pinnedAlone = memory(4, { sessionID: session.id, time: { created: 4, updated: 4 } })
    const pinnedElsewhere = memory(5, { projectID, sessionID: other.id, time: { created: 5, updated: 5 } })
    const ofOther = memory(6, { projectID: newId("project"), time: { created: 6, updated: 6 } })
    await putAll(store, pinned, ofAll, ofOther, ofProject, pinnedElsewhere, pinnedAlone)
    const numbers = async (query: { projectID?: string; sessionID?: string; limit?: number }) =>
      (await store.memory.list({ limit: 9, ...query })).map(({ number }) => number)
    expect(await numbers({})).toEqual([6, 5, 4, 3, 2, 1])
    expect(await numbers({ projectID })).toEqual([5, 3, 2, 1])
    expect(await numbers({ sessionID: session.id })).toEqual([4, 3, 1])
    expect(await numbers({ projectID, sessionID: session.id })).toEqual([4, 3, 2, 1])
    expect(await numbers({ projectID, limit: 2 })).toEqual([5, 3])
  })

  it("lists by type and exact tag, and invalidated ones only when asked", async () => {
    const store = await open()
    const a = memory(1, { type: "user", tags: ["a b", "build"] })
    const b = memory(2, { type: "learning", tags: ["a", "Build", "100%"] })
    const stale = memory(3, { type: "user", tags: ["build"], invalidatedAt: 5 })
    await putAll(store, a, b, stale)
    const list = (query: Partial<Parameters<Store["memory"]["list"]>[0]>) => store.memory.list({ limit: 9, ...query })
    expect(await list({ types: ["user", "context"] })).toEqual([a])
    expect(await list({ types: [] })).toEqual([])
    expect(await list({ types: ["user"], all: true })).toEqual([stale, a])
    expect([await list({ tag: "build" }), await list({ tag: "Build" })]).toEqual([[a], [b]])
    expect([await list({ tag: "a" }), await list({ tag: "b" }), await list({ tag: "a b" })]).toEqual([[b], [], [a]])
    expect([await list({ tag: "100%" }), await list({ tag: "%" })]).toEqual([[b], []])
  })
}
