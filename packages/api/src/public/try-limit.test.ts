import { expect, it } from "vitest"
import { createTryLimit } from "./try-limit.ts"

it("a try limit allows some tries at once, then one per interval", () => {
  let now = 0
  const limit = createTryLimit({ most: 3, refillMs: 10, clock: () => now })
  const take = (count: number) => Array.from({ length: count }, () => limit.take("a"))
  expect(take(4)).toEqual([null, null, null, 10])
  now = 4
  expect(take(1)).toEqual([6])
  now = 10
  expect(take(2)).toEqual([null, 10])
  expect(limit.take("b")).toBeNull()
  limit.giveBack("a")
  expect(take(2)).toEqual([null, 10])
})

it("a try limit remembers only a bounded number of latest keys", () => {
  const limit = createTryLimit({ most: 1, refillMs: 1_000_000, clock: () => 0 })
  limit.take("first")
  for (let key = 0; key < 4_095; key++) limit.take(`${key}`)
  expect(limit.take("first")).toBe(1_000_000)
  limit.take("one more")
  expect(limit.take("first")).toBeNull()
  expect(limit.take("4094")).toBe(1_000_000)
})
