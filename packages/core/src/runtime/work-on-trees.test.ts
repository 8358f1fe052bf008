import { expect, test, vi } from "vitest"
import { root, turn } from "../contract/rows.ts"
import { createTurnQueue } from "../engine/turn/turn-queue.ts"
import type { Turn } from "../ground/schema/index.ts"
import { createTreeWork } from "./work-on-trees.ts"

const unused = {} as never

/** A tree with a waiting turn; the test says what runs, and how taking up goes. `isBusy`: what begins does not end. */
function start({ takeUp = async () => {}, isBusy = false }: { takeUp?: () => Promise<void>; isBusy?: boolean } = {}) {
  const session = root()
  const rows: Turn[] = [turn(session)]
  const added: string[] = []
  const abandoned: unknown[] = []
  const idle = Promise.withResolvers<void>()
  const work = createTreeWork({
    store: {
      turn: { get: async () => null, open: async () => rows, tree: async () => rows },
      task: { open: async () => [] } as never,
    },
    sessionQueues: {
      add: ({ id }) => void added.push(id),
      idle: () => (isBusy && added.length > 0 ? Promise.withResolvers<void>().promise : idle.promise),
      abandon(_matches, reason) {
        abandoned.push(reason)
        return []
      },
    },
    follow: async () => () => {},
    isKnown: () => true,
    lost: () => {},
    takeUp,
  })
  const lost = new AbortController()
  const given = (wasHeld = false, signal = lost.signal) => work.workOn({ rootID: session.id, wasHeld, signal })
  return {
    ...{ session, rows, added, abandoned, lost, work, given },
    /** Whatever runs has ended, now and from now on. */
    becomeIdle: () => idle.resolve(),
  }
}

test("nothing begins in a tree that was lost while it was read", async () => {
  const { given, lost, added, abandoned, becomeIdle } = start()
  const working = given()
  lost.abort(new Error("the claim is gone"))
  await expect(working).rejects.toThrow("the claim is gone")
  becomeIdle()
  await new Promise((resolve) => setImmediate(resolve))
  expect(added).toEqual([])
  expect(abandoned.length).toBeGreaterThan(0)
})

test("what was taken up after the loss is abandoned", async () => {
  const taking = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { given, lost, abandoned, becomeIdle } = start({
    takeUp() {
      begun.resolve()
      return taking.promise
    },
  })
  becomeIdle()
  const working = given(true)
  await begun.promise
  lost.abort(new Error("the claim is gone"))
  const before = abandoned.length
  taking.resolve()
  await expect(working).rejects.toThrow("the claim is gone")
  expect(abandoned.length).toBeGreaterThan(before)
})

test("a tree that comes back waits until it was let go", async () => {
  const { given, lost, session, work, rows, becomeIdle } = start()
  const isHeld = () => work.during(session.id, async (held) => held)
  const first = given()
  expect(await isHeld()).toBe(true)
  const second = given(false, new AbortController().signal)
  lost.abort(new Error("the claim is gone"))
  await expect(first).rejects.toThrow("the claim is gone")
  rows.length = 0
  becomeIdle()
  await second
  expect(await isHeld()).toBe(false)
})

test("a turn that does not begin fails the work", async () => {
  const { given, added, rows, becomeIdle } = start()
  becomeIdle()
  await expect(given()).rejects.toThrow("does not begin")
  expect(added).toEqual(rows.map(({ id }) => id))
})

test("a turn that comes before the taking up begins after it", async () => {
  const taking = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { given, added, rows, session, lost, work, becomeIdle } = start({
    isBusy: true,
    takeUp() {
      begun.resolve()
      return taking.promise
    },
  })
  becomeIdle()
  const working = given(true)
  await begun.promise
  const next = turn(session)
  rows.push(next)
  work.heard(next)
  expect(added).toEqual([])
  taking.resolve()
  await vi.waitFor(() => expect(added).toEqual(rows.map(({ id }) => id)))
  lost.abort(new Error("the claim is gone"))
  await expect(working).rejects.toThrow("the claim is gone")
})

test("a turn that the rows lack begins after the taking up", async () => {
  const { given, added, rows, session, lost, work, becomeIdle } = start({ isBusy: true })
  becomeIdle()
  const working = given()
  // The rows are being read.
  const next = turn(session)
  work.heard(next)
  expect(added).toEqual([])
  await vi.waitFor(() => expect(added).toEqual([...rows.map(({ id }) => id), next.id]))
  lost.abort(new Error("the claim is gone"))
  await expect(working).rejects.toThrow("the claim is gone")
})

test("a turn stored while the tree came runs here", async () => {
  const { given, added, session, lost, work, becomeIdle } = start({ isBusy: true })
  const storing = Promise.withResolvers<void>()
  const queue = createTurnQueue({
    ...{ heldTrees: work, isShared: true, clock: () => 0, store: unused, finalWrites: unused, leases: unused },
    journal: { commit: () => storing.promise } as never,
    sessionQueues: { add: ({ id }: Turn) => void added.push(id) } as never,
  })
  const next = turn(session)
  const stored = queue.enqueue(next)
  becomeIdle()
  const working = given()
  await vi.waitFor(() => expect(added.length).toBeGreaterThan(0))
  storing.resolve()
  await stored
  expect(added).toContain(next.id)
  lost.abort(new Error("the claim is gone"))
  await expect(working).rejects.toThrow("the claim is gone")
})
