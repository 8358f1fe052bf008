import { expect, it } from "vitest"
import { createFewAtOnce } from "./few-at-once.ts"

it("work runs up to the limit, waits in order, or is refused", async () => {
  const few = createFewAtOnce({ atOnce: 2, waiting: 2 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const start = (number: number) =>
    few(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      return number
    })
  const all = [1, 2, 3, 4, 5].map(start)
  expect(all[4]).toBeNull()
  await Promise.resolve()
  expect(begun).toEqual([1, 2])
  ends[1]?.()
  expect(await all[1]).toBe(2)
  await Promise.resolve()
  expect(begun).toEqual([1, 2, 3])
  const sixth = start(6)
  expect([sixth === null, start(7)]).toEqual([false, null])
  // `ends` are in the order in which work began: of 1, 2 (ended above), 3, 4 and 6.
  const open = [
    [0, all[0]],
    [2, all[2]],
    [3, all[3]],
    [4, sixth],
  ] as const
  for (const [at, work] of open) {
    ends[at]?.()
    await Promise.resolve()
    await work
    await Promise.resolve()
  }
  expect(begun).toEqual([1, 2, 3, 4, 6])
})

it("waiting work runs after earlier work has failed", async () => {
  const few = createFewAtOnce({ atOnce: 1, waiting: 1 })
  const failing = few(() => Promise.reject(new Error("broken")))
  const after = few(async () => "done")
  await expect(failing).rejects.toThrow("broken")
  expect(await after).toBe("done")
})
