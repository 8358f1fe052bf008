import { expect, test } from "vitest"
import { root, turn } from "../contract/rows.ts"
import type { Turn } from "../ground/schema/index.ts"
import { createTreeWork } from "./work-on-trees.ts"

/** A tree with a waiting turn; the test says what runs, and how taking up goes. */
function start({ takeUp = async () => {} }: { takeUp?: () => Promise<void> } = {}) {
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
      idle: () => idle.promise,
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
  const first = given()
  expect(work.has(session.id)).toBe(true)
  const second = given(false, new AbortController().signal)
  lost.abort(new Error("the claim is gone"))
  await expect(first).rejects.toThrow("the claim is gone")
  rows.length = 0
  becomeIdle()
  await second
  expect(work.has(session.id)).toBe(false)
})

test("a turn that does not begin fails the work", async () => {
  const { given, added, rows, becomeIdle } = start()
  becomeIdle()
  await expect(given()).rejects.toThrow("does not begin")
  expect(added).toEqual(rows.map(({ id }) => id))
})
