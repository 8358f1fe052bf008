import { expect, test } from "vitest"
import { root, turn } from "../../contract/rows.ts"
import type { Turn } from "../../ground/schema/index.ts"
import { createSessionQueues } from "./session-queues.ts"

/** Session queues whose turns end on command or when they are stopped. */
function heldQueues() {
  const sessionQueues = createSessionQueues({ onError: console.error })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  sessionQueues.serve((given, signal) => {
    begun.push(given.id)
    return new Promise((resolve) => {
      ends.set(given.id, () => resolve({ ...given, status: "completed" }))
      signal.addEventListener("abort", () => resolve({ ...given, status: "aborted" }))
    })
  })
  const status = async (id: string) => (await sessionQueues.left(id))?.status
  return { sessionQueues, begun, status, end: (id: string) => ends.get(id)?.() }
}

function inOrder(count: number): Turn[] {
  const session = root()
  return Array.from({ length: count }, () => turn(session)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

test("turns of a session run one by one in creation order, once", async () => {
  const { sessionQueues, begun, status, end } = heldQueues()
  const [first, second, third, fourth] = inOrder(4)
  if (!first || !second || !third || !fourth) throw new Error("four turns")
  for (const given of [first, fourth, second, third, second]) sessionQueues.add(given)
  expect(begun).toEqual([first.id])
  const dropped = status(third.id)
  sessionQueues.drop({ ...third, status: "aborted" })
  expect(await dropped).toBe("aborted")
  expect([sessionQueues.has(second.id), sessionQueues.has(third.id)]).toEqual([true, false])
  for (const { id } of [first, second]) {
    const left = status(id)
    end(id)
    expect(await left).toBe("completed")
  }
  await expect.poll(() => begun).toEqual([first.id, second.id, fourth.id])
})

test("turns without a time in their ids run in creation order", async () => {
  const { sessionQueues, begun, end } = heldQueues()
  const [small, middle, large] = inOrder(3)
  if (!small || !middle || !large) throw new Error("three turns")
  const at = (given: Turn, created: number): Turn => ({ ...given, time: { ...given.time, created } })
  for (const given of [at(middle, 1), at(large, 2), at(small, 3)]) sessionQueues.add(given)
  for (const { id } of [middle, large, small]) {
    await expect.poll(() => begun.at(-1)).toBe(id)
    end(id)
  }
})

test("a turn that ends within the stop's grace completes; others are aborted", async () => {
  const { sessionQueues, status, end } = heldQueues()
  const [quick] = inOrder(1)
  const [slow] = inOrder(1)
  if (!quick || !slow) throw new Error("two turns")
  for (const given of [quick, slow]) sessionQueues.add(given)
  const left = [status(quick.id), status(slow.id)]
  const stopped = [
    sessionQueues.stop(quick.id, new Error("stop"), 60_000),
    sessionQueues.stop(slow.id, new Error("stop"), 1),
  ]
  end(quick.id)
  await Promise.all(stopped)
  expect(await Promise.all(left)).toEqual(["completed", "aborted"])
  await sessionQueues.stop(quick.id, new Error("stop"))
})
