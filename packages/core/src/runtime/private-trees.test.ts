import { expect, it } from "vitest"
import { createBus } from "../ground/event/bus.ts"
import { createJournal } from "../ground/event/journal.ts"
import { createIdSource } from "../ground/id/create-id.ts"
import type { Session } from "../ground/schema/index.ts"
import { createInMemoryStore } from "../ground/store/index.ts"
import { newSession } from "../test/entities.ts"
import { createPrivateTrees } from "./private-trees.ts"

/** A private session of Ada, and private trees that count how often they read the store. */
async function setUp({ isShared }: { isShared: boolean }) {
  const store = createInMemoryStore()
  const bus = createBus((error) => {
    throw error
  })
  const journal = createJournal({ store, bus })
  const session = {
    ...newSession(createIdSource()),
    by: { person: "ada", workspace: "local" },
    visibility: "author" as const,
  }
  await journal.commit(session.id, [{ kind: "session", value: session }])
  let reads = 0
  const counted = {
    private: async () => {
      reads += 1
      return await store.session.private()
    },
  }
  let at = 0
  const trees = await createPrivateTrees({ store: counted, bus, isShared, now: () => at })
  const change = (changed: Partial<Session>) =>
    journal.commit(session.id, [{ kind: "session", value: { ...session, ...changed } }])
  const pass = (ms: number) => {
    at += ms
  }
  return { store, session, trees, change, pass, reads: () => reads }
}

const readers = Array.from({ length: 200 }, (_, index) => `reader ${index}`)

it("asks the database again only when what is hidden may differ", async () => {
  const { session, trees, change, pass, reads } = await setUp({ isShared: true })
  const hiddenFrom = async (people: readonly string[]) =>
    (await Promise.all(people.map((person) => trees.hiddenFromSubscriber(person)))).map(({ has }) => has(session.id))
  for (const title of ["one", "two", "three"]) {
    await change({ title })
    expect(await hiddenFrom([...readers, "ada"])).toEqual([...readers.map(() => true), false])
  }
  expect(reads()).toBe(1)
  await change({ visibility: "workspace" })
  expect(await hiddenFrom(readers)).toEqual(readers.map(() => false))
  expect(reads()).toBe(2)
  pass(250)
  expect(await hiddenFrom(readers)).toEqual(readers.map(() => false))
  expect(reads()).toBe(3)
})

it("sees within a moment what another runtime hid", async () => {
  const { store, session, trees, change, pass } = await setUp({ isShared: true })
  await change({ visibility: "workspace" })
  expect((await trees.hiddenFromSubscriber("bert")).has(session.id)).toBe(false)
  const others = createJournal({ store, bus: createBus(() => undefined) })
  await others.commit(session.id, [{ kind: "session", value: session }])
  pass(250)
  expect((await trees.hiddenFromSubscriber("bert")).has(session.id)).toBe(true)
})

it("never asks the database where no other runtime writes", async () => {
  const { session, trees, change, reads } = await setUp({ isShared: false })
  const before = reads()
  await change({ title: "one" })
  const hidden = await Promise.all(readers.map((person) => trees.hiddenFromSubscriber(person)))
  expect(hidden.every(({ has }) => has(session.id))).toBe(true)
  expect(reads()).toBe(before)
})

it("hiddenFrom sees what other runtimes have just stored", async () => {
  const { store, session, trees } = await setUp({ isShared: true })
  await trees.hiddenFromSubscriber("bert")
  // This runtime gets no event for this change.
  const others = createJournal({ store, bus: createBus(() => undefined) })
  await others.commit(session.id, [{ kind: "session", value: { ...session, visibility: "workspace" } }])
  expect((await trees.hiddenFrom("bert")).has(session.id)).toBe(false)
  // Subscribers do not get the result of the older read either.
  expect((await trees.hiddenFromSubscriber("bert")).has(session.id)).toBe(false)
})

it("reads the database again after a failed read", async () => {
  const bus = createBus(() => undefined)
  let isAway = true
  const store = {
    async private() {
      if (isAway) throw new Error("the database is away")
      return []
    },
  }
  const trees = await createPrivateTrees({ store, bus, isShared: true, now: () => 0 })
  await expect(trees.hiddenFromSubscriber("bert")).rejects.toThrow("away")
  isAway = false
  expect((await trees.hiddenFromSubscriber("bert")).isEmpty).toBe(true)
})
