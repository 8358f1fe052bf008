import { expect, test } from "vitest"
import { layOutReaches } from "./take-over.ts"

const rowsOf = (...keys: string[]) => keys.map((key) => ({ key }))

test("a list is shown once the reader's rows are laid out", () => {
  const rows = rowsOf("a", "b", "c", "d")
  expect(layOutReaches(["b", "c"], rows, rowsOf("a", "b", "c"))).toBe(true)
  expect(layOutReaches(["b", "c", "d"], rows, rowsOf("a", "b", "c"))).toBe(false)
  expect(layOutReaches(["a"], rows, rowsOf("c", "d"))).toBe(false)
})

test("removed rows do not delay the list", () => {
  expect(layOutReaches(["folded", "b"], rowsOf("a", "b"), rowsOf("a", "b"))).toBe(true)
  expect(layOutReaches([], rowsOf("a"), [])).toBe(true)
})
