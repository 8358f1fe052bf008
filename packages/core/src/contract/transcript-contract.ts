import { expect, it } from "vitest"
import type { Message, Session } from "../ground/schema/index.ts"
import type { Mutation, Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { assistantMessage, newId, putSessions, root, textPart, toolPart, userMessage } from "./rows.ts"

async function putMessages(store: Store, session: Session, messages: Message[]) {
  const items = messages.map((info) => ({ info, parts: [textPart(info, "one"), textPart(info, "two")] }))
  const mutations = items.flatMap(({ info, parts }): Mutation[] => [
    { kind: "message", value: info },
    // Written newest first, because reading must sort by id.
    ...parts.toReversed().map((value) => ({ kind: "part" as const, value })),
  ])
  await store.write.commit([{ rootID: session.rootID, mutations }])
  return items
}

async function tenMessages(store: Store) {
  const session = await putSessions(store, root())
  const items = await putMessages(
    store,
    session,
    Array.from({ length: 10 }, () => userMessage(session)),
  )
  const ids = items.map(({ info }) => info.id)
  const page = async (query: { before?: string; after?: string; around?: string; limit: number }) => {
    const { items: found, before, after } = await store.transcript.page({ sessionID: session.id, ...query })
    const indexOf = (id: string | null) => (id === null ? null : ids.indexOf(id))
    return { items: found.map(({ info }) => ids.indexOf(info.id)), before: indexOf(before), after: indexOf(after) }
  }
  return { session, items, ids, page, id: (index: number) => ids[index] ?? "" }
}

const stopped = { name: "AbortedError", message: "stopped", statusCode: null, retryable: false } as const

export function transcriptContract(open: OpenStore): void {
  it("gives the newest messages with all their parts, oldest first", async () => {
    const store = await open()
    const { session, items } = await tenMessages(store)
    const page = await store.transcript.page({ sessionID: session.id, limit: 3 })
    expect(page).toEqual({ items: items.slice(-3), before: items[7]?.info.id, after: null })
    const all = await store.transcript.page({ sessionID: session.id, limit: 10 })
    expect(all).toEqual({ items, before: null, after: null })
  })

  it("pages back and forth without a gap or a double", async () => {
    const store = await open()
    const { page, id } = await tenMessages(store)
    expect(await page({ before: id(7), limit: 3 })).toEqual({ items: [4, 5, 6], before: 4, after: 6 })
    expect(await page({ before: id(3), limit: 5 })).toEqual({ items: [0, 1, 2], before: null, after: 2 })
    expect(await page({ after: id(6), limit: 2 })).toEqual({ items: [7, 8], before: 7, after: 8 })
    expect(await page({ after: id(7), limit: 5 })).toEqual({ items: [8, 9], before: 8, after: null })
    expect(await page({ after: id(9), limit: 5 })).toEqual({ items: [], before: null, after: null })
    expect(await page({ before: id(0), limit: 5 })).toEqual({ items: [], before: null, after: null })
  })

  it("centres the window on a message or a part's message", async () => {
    const store = await open()
    const { page, id, items } = await tenMessages(store)
    const around5 = { items: [3, 4, 5, 6], before: 3, after: 6 }
    expect(await page({ around: id(5), limit: 4 })).toEqual(around5)
    expect(await page({ around: items[5]?.parts[1]?.id ?? "", limit: 4 })).toEqual(around5)
    expect(await page({ around: id(0), limit: 4 })).toEqual({ items: [0, 1], before: null, after: 1 })
    expect(await page({ around: id(9), limit: 4 })).toEqual({ items: [7, 8, 9], before: 7, after: null })
    expect(await page({ around: id(4), limit: 1 })).toEqual({ items: [4], before: 4, after: 4 })
  })

  it("gives the newest messages when the part to centre on is gone", async () => {
    const store = await open()
    const { page } = await tenMessages(store)
    expect((await page({ around: newId("part"), limit: 2 })).items).toEqual([8, 9])
  })

  it("keeps the messages of sessions apart", async () => {
    const store = await open()
    await tenMessages(store)
    const other = await putSessions(store, root())
    expect(await store.transcript.page({ sessionID: other.id, limit: 5 })).toEqual({
      items: [],
      before: null,
      after: null,
    })
  })

  it("starts what the model sees at the last finished compaction summary", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const before = await putMessages(store, session, [userMessage(session), assistantMessage(session)])
    expect(await store.transcript.sinceCompaction(session.id)).toEqual(before)
    await putMessages(store, session, [assistantMessage(session, { summary: true })])
    const since = await putMessages(store, session, [
      assistantMessage(session, { summary: true }),
      userMessage(session),
    ])
    expect(await store.transcript.sinceCompaction(session.id)).toEqual(since)
  })

  it("ignores an unfinished or failed summary, so that messages remain", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const items = await putMessages(store, session, [
      userMessage(session),
      assistantMessage(session, { summary: true, time: { created: 1, completed: null } }),
      assistantMessage(session, { summary: true, error: stopped }),
    ])
    expect(await store.transcript.sinceCompaction(session.id)).toEqual(items)
  })

  it("finds tool parts and assistant messages that are still open", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const openMessage = assistantMessage(session, { time: { created: 1, completed: null } })
    const messages = [userMessage(session), assistantMessage(session), openMessage]
    await putMessages(store, session, messages)
    const pending = toolPart(openMessage, { status: "pending", input: {}, raw: "{" })
    const running = toolPart(openMessage, { status: "running", input: {}, metadata: {}, time: { start: 1 } })
    const time = { start: 1, end: 2 }
    const done = toolPart(openMessage, { status: "completed", input: {}, output: "", title: "", metadata: {}, time })
    const failed = toolPart(openMessage, { status: "error", input: {}, error: "no", metadata: {}, time })
    const mutations = [pending, running, done, failed].map((value) => ({ kind: "part" as const, value }))
    await store.write.commit([{ rootID: session.id, mutations }])
    expect(await store.transcript.openToolParts(session.id)).toEqual([pending, running])
    expect(await store.transcript.openMessages(session.id)).toEqual([openMessage])
    expect(await store.transcript.part(done.id)).toEqual(done)
    expect(await store.transcript.part(newId("part"))).toBeNull()
  })
}
