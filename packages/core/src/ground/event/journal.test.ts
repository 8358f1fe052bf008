import { expect, test } from "vitest"
import { newSession, newTextPart, newUserMessage } from "../../test/entities.ts"
import { StaleTurnError } from "../error/docket-error.ts"
import { createIdSource } from "../id/create-id.ts"
import type { DocketEvent } from "../schema/index.ts"
import { createInMemoryStore, type Store, type TreeBatch } from "../store/index.ts"
import { createBus } from "./bus.ts"
import { createJournal } from "./journal.ts"

function setUp(wrap: (store: Store) => Store = (store) => store) {
  const createID = createIdSource()
  const store = wrap(createInMemoryStore())
  const events: DocketEvent[] = []
  const bus = createBus((error) => {
    throw error
  })
  bus.subscribe((event) => events.push(event))
  return { createID, store, events, bus, journal: createJournal({ store, bus }) }
}

test("mutations that wait together commit in one transaction and keep their order", async () => {
  const commits: TreeBatch[][] = []
  const { createID, journal, events } = setUp((store) => ({
    ...store,
    write: {
      ...store.write,
      commit(batches) {
        commits.push(batches)
        return store.write.commit(batches)
      },
    },
  }))
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const message = newUserMessage(createID, session.id)
  const writes = [
    journal.commit(session.id, [{ kind: "message", value: message }]),
    journal.commit(session.id, [{ kind: "part", value: newTextPart(createID, message, "one") }]),
    journal.commit(session.id, [{ kind: "session.patch", sessionID: session.id, patch: { title: "Named" } }]),
  ]
  await Promise.all(writes)
  expect(commits).toHaveLength(2)
  expect(events.map((event) => event.type)).toEqual([
    "session.created",
    "message.updated",
    "message.part.updated",
    "session.updated",
  ])
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4])
})

test("a stale writer fails alone, without affecting others in its transaction", async () => {
  const { createID, journal, store } = setUp()
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const message = newUserMessage(createID, session.id)
  const good = journal.commit(session.id, [{ kind: "message", value: message }])
  const stale = journal.commit(session.id, [{ kind: "part", value: newTextPart(createID, message, "late") }], {
    turnID: createID("turn"),
    epoch: 1,
  })
  await expect(stale).rejects.toBeInstanceOf(StaleTurnError)
  await good
  const page = await store.transcript.page({ sessionID: session.id, limit: 10 })
  expect(page.items.map((item) => [item.info.id, item.parts.length])).toEqual([[message.id, 0]])
})

test("a write for a removed session fails without affecting other writes", async () => {
  const { createID, journal, store } = setUp()
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const lost = newUserMessage(createID, createID("session"))
  const writes = [
    journal.commit(session.id, [{ kind: "session.patch", sessionID: session.id, patch: { title: "before" } }]),
    journal.commit(session.id, [{ kind: "message", value: lost }]),
    journal.commit(session.id, [{ kind: "session.patch", sessionID: session.id, patch: { cost: 1 } }]),
  ]
  const ends = await Promise.allSettled(writes)
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(await store.session.get(session.id)).toMatchObject({ title: "before", cost: 1 })
})

test("only the last state of a row is written when several wait", async () => {
  const { createID, journal, events } = setUp()
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const message = newUserMessage(createID, session.id)
  const part = newTextPart(createID, message, "a")
  await Promise.all([
    journal.commit(session.id, [{ kind: "message", value: message }]),
    journal.commit(session.id, [{ kind: "part", value: part }]),
    journal.commit(session.id, [{ kind: "part", value: { ...part, text: "ab" }, quiet: true }]),
  ])
  const texts = events.flatMap((event) => (event.type === "message.part.updated" ? [event.properties.part] : []))
  expect(texts).toEqual([{ ...part, text: "ab" }])
})
