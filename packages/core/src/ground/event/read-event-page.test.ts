import { expect, test } from "vitest"
import { newSession, newTextPart, newUserMessage } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import { createInMemoryStore } from "../store/index.ts"
import { createBus } from "./bus.ts"
import { createJournal } from "./journal.ts"
import { type EventPageQuery, readEventPage } from "./read-event-page.ts"

const long = 3_600_000

async function setUp() {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const bus = createBus((error) => {
    throw error
  })
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const message = newUserMessage(createID, session.id)
  await journal.commit(session.id, [{ kind: "message", value: message }])
  const write = (text: string, quiet = false) =>
    journal.commit(session.id, [{ kind: "part", quiet, value: newTextPart(createID, message, text) }])
  const page = (query: Partial<EventPageQuery>, signal = new AbortController().signal) =>
    readEventPage(
      { store: store.feed, bus },
      { rootID: session.id, after: undefined, limit: 100, waitMs: 0, ...query },
      signal,
    )
  return { createID, session, write, page, bus }
}

test("pages bring all rows after a cursor, in order", async () => {
  const { session, write, page } = await setUp()
  await write("one")
  await write("two")
  const first = await page({ after: 0, limit: 3 })
  expect(first.events.map(({ type, seq }) => [type, seq])).toEqual([
    ["session.created", 1],
    ["message.updated", 2],
    ["message.part.updated", 3],
  ])
  expect(await page({ after: first.next, limit: 3 })).toMatchObject({
    rootID: session.id,
    events: [{ type: "message.part.updated", seq: 4 }],
    next: 4,
  })
})

test("without a cursor the page begins now", async () => {
  const { write, page } = await setUp()
  const { events, next } = await page({})
  expect([events, next]).toEqual([[], 2])
  await write("later")
  expect((await page({ after: next })).events).toHaveLength(1)
})

test("an empty page waits for the next event", async () => {
  const { write, page } = await setUp()
  const waiting = page({ after: 2, waitMs: long })
  await write("one")
  expect(await waiting).toMatchObject({ events: [{ type: "message.part.updated", seq: 3 }], next: 3 })
})

test("a page that waits is woken by doubt about the tree", async () => {
  const { session, write, page, bus } = await setUp()
  const waiting = page({ after: 2, waitMs: long })
  await new Promise(setImmediate)
  await write("one", true)
  bus.doubt(session.id)
  expect((await waiting).events).toMatchObject([{ type: "message.part.updated" }])
})

test("a page ends empty when nothing happens or its reader leaves", async () => {
  const { page } = await setUp()
  expect(await page({ after: 2, waitMs: 1 })).toMatchObject({ events: [], next: 2 })
  const leave = new AbortController()
  const waiting = page({ after: 2, waitMs: long }, leave.signal)
  leave.abort()
  expect(await waiting).toMatchObject({ events: [], next: 2 })
})

test("a cursor beyond the newest row asks for a fresh look", async () => {
  const { session, page } = await setUp()
  const events = [{ type: "resync", rootID: session.id, seq: 2 }]
  expect(await page({ after: 99 })).toEqual({ rootID: session.id, events, next: 2 })
})

test("pages of an unknown tree are refused", async () => {
  const { createID, page } = await setUp()
  await expect(page({ rootID: createID("session") })).rejects.toMatchObject({ code: "session_not_found" })
})
