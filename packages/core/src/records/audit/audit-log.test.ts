import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { AuditEntry } from "../../ground/schema/index.ts"
import { type AuditStore, createInMemoryDatabase } from "../../ground/store/index.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { createAuditLog, keepAudit, type NewAuditEntry } from "./audit-log.ts"

function entry(at: number, fields: Partial<NewAuditEntry> = {}): NewAuditEntry {
  const how = { via: "browser", credential: null, address: null } as const
  const call = "session.promptAsync"
  return { at, call, act: "prompted", person: { id: "ann", name: "Ann" }, ...how, targets: {}, facts: {}, ...fields }
}

function setUp(around: (store: AuditStore) => AuditStore = (store) => store) {
  const database = createInMemoryDatabase()
  const errors: unknown[] = []
  const storeOf = (id: string) => around(database.store(id).audit)
  const log = createAuditLog({ storeOf, createID: createIdSource(), onError: (error) => errors.push(error) })
  return { database, errors, log }
}

test("an entry is stored before its caller continues, in its own workspace", async () => {
  const { log } = setUp()
  await log.add("a", entry(1))
  expect((await log.read("a", { limit: 10 })).items).toMatchObject([{ at: 1, person: { name: "Ann" } }])
  expect((await log.read("b", { limit: 10 })).items).toEqual([])
})

test("simultaneous entries are stored in batches, in order, and read by pages", async () => {
  const writes: number[] = []
  const counted = (store: AuditStore): AuditStore => ({
    ...store,
    add: (entries) => {
      writes.push(entries.length)
      return store.add(entries)
    },
  })
  const { log } = setUp(counted)
  await Promise.all(Array.from({ length: 450 }, (_, at) => log.add("a", entry(at))))
  expect(writes).toEqual([200, 200, 50])
  const read: AuditEntry[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await log.read("a", { limit: 100, ...(cursor && { cursor }) })
    read.push(...page.items)
    cursor = page.cursor
  }
  expect(read.map(({ at }) => at)).toEqual(Array.from({ length: 450 }, (_, index) => 449 - index))
})

test("a storage failure is reported, blocks nobody, and later entries are stored", async () => {
  let isFull = true
  const full = (store: AuditStore): AuditStore => ({
    ...store,
    add: async (entries) => {
      if (isFull) throw new Error("disk full")
      await store.add(entries)
    },
  })
  const { log, errors } = setUp(full)
  await log.add("a", entry(1))
  expect(errors).toMatchObject([{ message: "disk full" }])
  isFull = false
  await log.add("a", entry(2))
  expect((await log.read("a", { limit: 10 })).items.map(({ at }) => at)).toEqual([2])
})

test("long names and facts are cut to 300 characters", async () => {
  const { log } = setUp()
  await log.add(
    "a",
    entry(1, { targets: { name: "x".repeat(100_000) }, facts: { role: "y".repeat(100_000), days: 3 } }),
  )
  const [kept] = (await log.read("a", { limit: 1 })).items
  expect([kept?.targets.name?.length, String(kept?.facts.role).length, kept?.facts.days]).toEqual([300, 300, 3])
})

test("old entries are removed at the start and every day", async () => {
  const { database, log } = setUp()
  const time = createManualTime()
  const day = 24 * 60 * 60_000
  let now = 400 * day
  for (const at of [1, 36, 399]) await log.add("a", entry(at * day))
  const { audit } = database.store("a")
  const left = async () => (await audit.read({ limit: 10 })).map(({ at }) => at / day)
  let pruned = Promise.withResolvers<void>()
  const store: AuditStore = {
    ...audit,
    async prune(before) {
      const count = await audit.prune(before)
      pruned.resolve()
      return count
    },
  }
  const keeping = keepAudit({
    store,
    days: async () => 365,
    clock: () => now,
    timers: time.timers,
    onError: (error) => {
      throw error
    },
  })
  await keeping.begin()
  await pruned.promise
  expect(await left()).toEqual([399, 36])
  pruned = Promise.withResolvers()
  now += 2 * day
  await time.pass(day)
  await pruned.promise
  expect(await left()).toEqual([399])
  await keeping.end()
  expect(time.waiting()).toBe(0)
})

test("stopping the cleanup waits for a removal in progress", async () => {
  const { database } = setUp()
  const asked = Promise.withResolvers<number>()
  const done: string[] = []
  const keeping = keepAudit({
    store: {
      ...database.store("a").audit,
      async prune() {
        done.push("removed")
        return 0
      },
    },
    days: () => asked.promise,
    clock: () => 0,
    timers: createManualTime().timers,
    onError: () => {},
  })
  await keeping.begin()
  const ended = keeping.end().then(() => done.push("ended"))
  asked.resolve(365)
  await ended
  expect(done).toEqual(["removed", "ended"])
})
