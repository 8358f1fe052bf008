import { expect, test } from "vitest"
import { isOverflow } from "./overflow.ts"

const used = (input: number, read = 0, output = 0) => ({ input, output, reasoning: 0, cache: { read, write: 0 } })

test("input, cached and output tokens count against the context less the room for an answer", () => {
  const limit = { context: 200_000, output: 32_000 }
  expect(isOverflow(used(100_000, 60_000, 7_999), limit)).toBe(false)
  expect(isOverflow(used(100_000, 60_000, 8_000), limit)).toBe(true)
})

test("a model of unknown context never overflows, a small one not before half of it", () => {
  expect(isOverflow(used(10_000_000), { context: 0, output: 0 })).toBe(false)
  expect(isOverflow(used(3_000), { context: 8_000, output: 8_000 })).toBe(false)
  expect(isOverflow(used(4_000), { context: 8_000, output: 8_000 })).toBe(true)
})
