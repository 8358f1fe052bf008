import { expect, test } from "vitest"
import { newSession, newTextPart, newUserMessage } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import type { SessionListItem } from "../schema/index.ts"
import { createInMemoryStore } from "../store/index.ts"
import { createBus } from "./bus.ts"
import { createJournal } from "./journal.ts"
import { createListRows } from "./list-rows.ts"

async function setUp({ failing = 0 } = {}) {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const bus = createBus(onError)
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  let reads = 0
  const listed = (ids: readonly string[]) => {
    reads += 1
    if (reads <= failing) return Promise.reject(new Error("the database is busy"))
    return store.session.listed(ids)
  }
  const rows = createListRows({ store: { listed }, bus, pauseMs: 1, onError })
  const told: SessionListItem[] = []
  let arrived = () => {}
  bus.subscribe((event) => {
    if (event.type !== "session.listed") return
    told.push(event.properties.item)
    arrived()
  })
  /** Resolves once a matching row was published. */
  const until = (matches: (item: SessionListItem) => boolean) =>
    new Promise<void>((resolve) => {
      arrived = () => {
        if (told.some(matches)) resolve()
      }
      arrived()
    })
  const rename = (title: string) =>
    journal.commit(session.id, [{ kind: "session.patch", sessionID: session.id, patch: { title } }])
  return { createID, journal, rows, session, told, until, rename, reads: () => reads, errors }
}

test("a tree's changes are reported as its root's row, in batches", async () => {
  const { createID, journal, rows, session, told, until, rename, reads } = await setUp()
  const leave = rows.follow()
  const child = newSession(createID, { parentID: session.id, rootID: session.id, depth: 1, cost: 0.25 })
  await journal.commit(session.id, [{ kind: "session", value: { ...child, status: { type: "busy" } } }])
  await until(({ running }) => running === 1)
  expect(told.at(-1)).toMatchObject({ session: { id: session.id }, running: 1, children: 1, treeCost: 0.25 })
  const before = reads()
  await Promise.all(Array.from({ length: 100 }, (_, n) => rename(`Title ${n}`)))
  await rename("The last")
  await until(({ session: { title } }) => title === "The last")
  expect(reads() - before).toBeLessThan(50)
  leave()
  rows.close()
})

test("no row is read for hidden changes or without a visible list", async () => {
  const { createID, journal, rows, session, until, rename, reads } = await setUp()
  await rename("Unseen")
  expect(reads()).toBe(0)
  const leave = rows.follow()
  const message = newUserMessage(createID, session.id)
  await journal.commit(session.id, [
    { kind: "message", value: message },
    { kind: "part", value: newTextPart(createID, message, "Hello") },
  ])
  expect(reads()).toBe(0)
  await rename("Seen")
  await until(({ session: { title } }) => title === "Seen")
  expect(reads()).toBe(1)
  leave()
  rows.close()
})

test("a row that could not be read is read again and published", async () => {
  const { createID, journal, rows, session, told, until, rename, reads, errors } = await setUp({ failing: 3 })
  const leave = rows.follow()
  const other = newSession(createID)
  await journal.commit(other.id, [{ kind: "session", value: other }])
  await rename("Not lost")
  await until(({ session: { title } }) => title === "Not lost")
  await until(({ session: { id } }) => id === other.id)
  expect(errors).toHaveLength(3)
  expect(reads()).toBeGreaterThan(3)
  expect(told.filter(({ session: { id } }) => id === session.id).at(-1)).toMatchObject({
    session: { title: "Not lost" },
  })
  leave()
  rows.close()
})
