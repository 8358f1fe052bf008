import { expect, test } from "vitest"
import { newTodo } from "../../records/todo/create-todo-service.ts"
import { newSession, newTextPart, newUserMessage } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import { addPage, applyEvent, type TreeState, treeFromSnapshot } from "../message/tree.ts"
import type { FeedItem } from "../schema/index.ts"
import { createInMemoryStore } from "../store/index.ts"
import { createBus } from "./bus.ts"
import { readFeed } from "./feed.ts"
import { createJournal } from "./journal.ts"

async function setUp() {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const bus = createBus((error) => {
    throw error
  })
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  return { createID, store, bus, journal, session, deps: { store: store.feed, bus } }
}

async function take(feed: AsyncIterable<FeedItem>, count: number): Promise<FeedItem[]> {
  const items: FeedItem[] = []
  for await (const item of feed) {
    items.push(item)
    if (items.length === count) break
  }
  return items
}

test("a subscriber gets older rows first, then live events, each once", async () => {
  const { createID, journal, session, deps } = await setUp()
  const message = newUserMessage(createID, session.id)
  await journal.commit(session.id, [{ kind: "message", value: message }])
  const abort = new AbortController()
  const feed = readFeed(deps, { rootID: session.id, since: 0, others: false }, abort.signal)
  const first = await take(feed, 2)
  expect(first.map((item) => item.seq)).toEqual([1, 2])

  const live = readFeed(deps, { rootID: session.id, since: 2, others: false }, abort.signal)
  const taken = take(live, 2)
  for (const text of ["a", "b"]) {
    await journal.commit(session.id, [{ kind: "part", value: newTextPart(createID, message, text) }])
  }
  expect((await taken).map((item) => [item.type, item.seq])).toEqual([
    ["message.part.updated", 3],
    ["message.part.updated", 4],
  ])
  abort.abort()
})

test("a whole feed brings the events of all trees, not of lists", async () => {
  const { createID, bus, journal, session, deps } = await setUp()
  const abort = new AbortController()
  const heard = take(readFeed(deps, { others: false, whole: true }, abort.signal), 3)
  const other = newSession(createID)
  const message = newUserMessage(createID, session.id)
  const item = { session, running: 0, needsYou: 0, reviews: 0, treeCost: 0, treeTokens: 0, children: 0 }
  bus.publish({ type: "session.listed", rootID: session.id, seq: null, properties: { item } })
  await journal.commit(session.id, [{ kind: "message", value: message }])
  await journal.commit(session.id, [{ kind: "part", value: newTextPart(createID, message, "a") }])
  await journal.commit(other.id, [{ kind: "session", value: other }])
  expect((await heard).map(({ type, rootID }) => [type, rootID])).toEqual([
    ["message.updated", session.id],
    ["message.part.updated", session.id],
    ["session.created", other.id],
  ])
  abort.abort()
})

test("a cursor beyond the newest row is answered with resync", async () => {
  const { session, deps } = await setUp()
  const abort = new AbortController()
  const items = await take(readFeed(deps, { rootID: session.id, since: 99, others: false }, abort.signal), 1)
  expect(items).toEqual([{ type: "resync", rootID: session.id, seq: 1 }])
  abort.abort()
})

test("a feed of an unknown tree is refused", async () => {
  const { createID, deps } = await setUp()
  const feed = readFeed(deps, { rootID: createID("session"), others: false }, new AbortController().signal)
  await expect(take(feed, 1)).rejects.toMatchObject({ code: "session_not_found" })
})

test("a slow reader gets the newest rows instead of an endless queue", async () => {
  const { createID, journal, session, deps } = await setUp()
  const message = newUserMessage(createID, session.id)
  await journal.commit(session.id, [{ kind: "message", value: message }])
  const part = newTextPart(createID, message, "")
  const abort = new AbortController()
  const feed = readFeed(deps, { rootID: session.id, since: 2, others: false }, abort.signal)
  const first = feed.next()
  await journal.commit(session.id, [{ kind: "part", value: part }])
  await first
  // More than twice the 2,000 events that are held for a slow reader.
  for (let n = 0; n < 5_000; n++) {
    await journal.commit(session.id, [{ kind: "part", value: { ...part, text: String(n) } }])
  }
  const seqs: number[] = []
  let last: FeedItem | undefined
  for await (const item of feed) {
    last = item
    seqs.push(item.seq ?? 0)
    if (
      item.type === "message.part.updated" &&
      item.properties.part.type === "text" &&
      item.properties.part.text === "4999"
    )
      break
  }
  expect(seqs.length).toBeLessThan(2_100)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  expect(new Set(seqs).size).toBe(seqs.length)
  // The session, the message and the first part come before the 5,000 changes.
  expect(last?.seq).toBe(5_003)
  abort.abort()
})

test("a slow reader gets a long todo list once, in newest state", async () => {
  const { createID, journal, session, deps } = await setUp()
  const abort = new AbortController()
  const feed = readFeed(deps, { rootID: session.id, since: 0, others: false }, abort.signal)
  await feed.next()
  const base = { sessionID: session.id, content: "Write", agent: null, now: 1 }
  const change = async (count: number) => {
    const value = Array.from({ length: count }, (_, position) =>
      newTodo({ ...base, id: createID("todo"), number: position + 1, position }),
    )
    await journal.commit(session.id, [{ kind: "todos", sessionID: session.id, value }])
  }
  const next = feed.next()
  for (const count of [1, 499, 500]) await change(count)
  await journal.commit(session.id, [{ kind: "message", value: newUserMessage(createID, session.id) }])
  await change(501)
  const items = [(await next).value, ...(await take(feed, 2))]
  expect(
    items.map((item) => [item?.seq, item?.type === "todo.updated" ? item.properties.todos.length : item?.type]),
  ).toEqual([
    [2, 1],
    [5, "message.updated"],
    [6, 501],
  ])
  abort.abort()
})

test("waiting changes of another tree's todo list become one notice without content", async () => {
  const { createID, bus, journal, session, deps } = await setUp()
  const other = newSession(createID)
  await journal.commit(other.id, [{ kind: "session", value: other }])
  const abort = new AbortController()
  const feed = readFeed(deps, { rootID: session.id, others: true }, abort.signal)
  const next = feed.next()
  const base = { sessionID: other.id, content: "Write", agent: null, now: 1 }
  for (const count of [1_000, 1_001, 1_002]) {
    const value = Array.from({ length: count }, (_, position) =>
      newTodo({ ...base, id: createID("todo"), number: position + 1, position }),
    )
    await journal.commit(other.id, [{ kind: "todos", sessionID: other.id, value }])
  }
  const item = { session: other, running: 0, needsYou: 0, reviews: 0, treeCost: 0, treeTokens: 0, children: 0 }
  bus.publish({ type: "session.listed", rootID: other.id, seq: null, properties: { item } })
  const items = [(await next).value, ...(await take(feed, 2))]
  const told = { type: "todo.list.changed", rootID: other.id, seq: null, properties: { sessionID: other.id } }
  // The first notice was read at once; the two that waited after it were joined.
  expect(items.slice(0, 2)).toEqual([told, told])
  expect(items[2]?.type).toBe("session.listed")
  abort.abort()
})

test("a stream ends when a slow reader misses events of other trees", async () => {
  const { bus, session, deps } = await setUp()
  const feed = readFeed(deps, { rootID: session.id, others: true }, new AbortController().signal)
  const deleted = (rootID: string) =>
    bus.publish({ type: "session.deleted", rootID, seq: null, properties: { sessionID: rootID } })
  const first = feed.next()
  await new Promise(setImmediate)
  deleted("ses_first")
  expect((await first).value).toMatchObject({ rootID: "ses_first" })
  for (let n = 0; n < 3_000; n++) deleted(`ses_${n}`)
  expect(await feed.next()).toEqual({ done: true, value: undefined })
})

test("live events that overflow during catch-up are read from the store", async () => {
  const { createID, journal, session, deps } = await setUp()
  const message = newUserMessage(createID, session.id)
  await journal.commit(session.id, [{ kind: "message", value: message }])
  const part = newTextPart(createID, message, "")
  await journal.commit(session.id, [{ kind: "part", value: part }])
  const abort = new AbortController()
  const feed = readFeed(deps, { rootID: session.id, since: 1, others: false }, abort.signal)
  const first = await feed.next()
  // The reader holds the first row of the catch-up while more happens than is kept for it.
  const lost = newTextPart(createID, message, "in the gap")
  await journal.commit(session.id, [{ kind: "part", value: lost }])
  for (let n = 0; n < 2_500; n++) {
    await journal.commit(session.id, [{ kind: "part", value: { ...part, text: String(n) } }])
  }
  const parts = new Set<string>()
  expect(first.value?.seq).toBe(2)
  for await (const item of feed) {
    if (item.type === "message.part.updated") parts.add(item.properties.part.id)
    // The session, the message and two parts come before the 2,500 changes.
    if ((item.seq ?? 0) >= 2_504) break
  }
  expect([...parts]).toContain(lost.id)
  abort.abort()
})

test("1,000 random disconnects lead to the same state without duplicate events", async () => {
  const { createID, store, journal, session, deps } = await setUp()
  const start: TreeState = treeFromSnapshot(session.id, {
    seq: 0,
    sessions: [],
    todos: {},
    permissions: [],
    turns: [],
    tasks: [],
  })
  let state = addPage(start, session.id, { items: [], before: null, after: null, seq: 0 }, "start")
  const seen: number[] = []
  let random = 42
  const next = (below: number) => {
    random = (random * 1_103_515_245 + 12_345) % 2 ** 31
    return random % below
  }
  let writing = true
  const writer = (async () => {
    for (let n = 0; n < 400; n++) {
      const message = newUserMessage(createID, session.id)
      await journal.commit(session.id, [{ kind: "message", value: message }])
      const part = newTextPart(createID, message, `text ${n}`)
      await journal.commit(session.id, [{ kind: "part", value: part }])
      await journal.commit(session.id, [{ kind: "part", value: { ...part, text: `changed ${n}` } }])
      if (next(4) === 0) {
        await journal.commit(session.id, [
          { kind: "part.remove", sessionID: session.id, messageID: message.id, partID: part.id },
        ])
      }
    }
    writing = false
  })()
  let disconnects = 0
  const head = async () => (await store.feed.head(session.id)) ?? 0
  while (writing || state.seq < (await head())) {
    const abort = new AbortController()
    let left = 1 + next(4)
    for await (const item of readFeed(deps, { rootID: session.id, since: state.seq, others: false }, abort.signal)) {
      seen.push(item.seq ?? -1)
      state = applyEvent(state, item)
      left -= 1
      if (left === 0 || state.seq === (await head())) break
    }
    abort.abort()
    disconnects += 1
    if (disconnects % 7 === 0) await new Promise(setImmediate)
  }
  await writer
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  const truth = await store.transcript.page({ sessionID: session.id, limit: 1_000 })
  expect(state.transcripts[session.id]?.messages).toEqual(truth.items)
  // Go on cutting a quiet feed until the thousand is full: nothing new may appear.
  for (; disconnects < 1_000; disconnects++) {
    const abort = new AbortController()
    abort.abort()
    for await (const item of readFeed(deps, { rootID: session.id, since: state.seq, others: false }, abort.signal)) {
      throw new Error(`unexpected ${item.type}`)
    }
  }
})
