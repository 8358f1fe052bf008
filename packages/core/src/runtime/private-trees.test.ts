import { expect, it } from "vitest"
import { createBus } from "../ground/event/bus.ts"
import { createJournal } from "../ground/event/journal.ts"
import { createIdSource } from "../ground/id/create-id.ts"
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
  const trees = await createPrivateTrees({ store: counted, bus, isShared })
  const tell = (title: string) => journal.commit(session.id, [{ kind: "session", value: { ...session, title } }])
  return { store, session, trees, tell, reads: () => reads }
}

const readers = Array.from({ length: 200 }, (_, index) => `reader ${index}`)

it("asks the database once per event for any number of readers", async () => {
  const { session, trees, tell, reads } = await setUp({ isShared: true })
  for (const title of ["one", "two", "three"]) {
    await tell(title)
    const hidden = await Promise.all([...readers, "ada"].map((person) => trees.hiddenFromSubscriber(person)))
    expect(hidden.map(({ has }) => has(session.id))).toEqual([...readers.map(() => true), false])
  }
  expect(reads()).toBe(3)
})

it("never asks the database where no other runtime writes", async () => {
  const { session, trees, tell, reads } = await setUp({ isShared: false })
  const before = reads()
  await tell("one")
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
  const trees = await createPrivateTrees({ store, bus, isShared: true })
  await expect(trees.hiddenFromSubscriber("bert")).rejects.toThrow("away")
  isAway = false
  expect((await trees.hiddenFromSubscriber("bert")).isEmpty).toBe(true)
})
