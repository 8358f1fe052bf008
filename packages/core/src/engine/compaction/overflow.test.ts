import { expect, test } from "vitest"
import { isOverflow } from "./overflow.ts"

const used = (input: number, read = 0, output = 0) => ({ input, output, reasoning: 0, cache: { read, write: 0 } })

test("input, cached and output tokens count against context minus answer space", () => {
  const limit = { context: 200_000, output: 32_000 }
  expect(isOverflow(used(100_000, 60_000, 7_999), limit)).toBe(false)
  expect(isOverflow(used(100_000, 60_000, 8_000), limit)).toBe(true)
})

test("a separate input limit counts, minus 20,000 tokens or the answer space", () => {
  const limit = { context: 400_000, input: 272_000, output: 128_000 }
  expect(isOverflow(used(251_999), limit)).toBe(false)
  expect(isOverflow(used(252_000), limit)).toBe(true)
  expect(isOverflow(used(267_999), { ...limit, output: 4_000 })).toBe(false)
  expect(isOverflow(used(268_000), { ...limit, output: 4_000 })).toBe(true)
})

test("a step's tool results count towards the limit before they are sent", () => {
  const limit = { context: 50_000, output: 10_000 }
  expect(isOverflow(used(30_000), limit, 39_996)).toBe(false)
  expect(isOverflow(used(30_000), limit, 40_000)).toBe(true)
})

test("an unknown context never overflows; a small one does when half full", () => {
  expect(isOverflow(used(10_000_000), { context: 0, output: 0 })).toBe(false)
  expect(isOverflow(used(3_000), { context: 8_000, output: 8_000 })).toBe(false)
  expect(isOverflow(used(4_000), { context: 8_000, output: 8_000 })).toBe(true)
})
