import { expect, test } from "vitest"
import { layOutReaches } from "./take-over.ts"

const of = (...keys: string[]) => keys.map((key) => ({ key }))

test("a list is shown once the reader's rows are laid out", () => {
  const rows = of("a", "b", "c", "d")
  expect(layOutReaches(["b", "c"], rows, of("a", "b", "c"))).toBe(true)
  expect(layOutReaches(["b", "c", "d"], rows, of("a", "b", "c"))).toBe(false)
  expect(layOutReaches(["a"], rows, of("c", "d"))).toBe(false)
})

test("removed rows do not delay the list", () => {
  expect(layOutReaches(["folded", "b"], of("a", "b"), of("a", "b"))).toBe(true)
  expect(layOutReaches([], of("a"), [])).toBe(true)
})
