import { expect, it } from "vitest"
import { searchLines } from "./search-lines.ts"

it("searchLines finds literal text in any case, without patterns", () => {
  const lines = ["ok 1", "FAIL src/a.ts (3)", "fail .*", ""]
  expect(searchLines(lines, "fail")).toEqual([1, 2])
  expect(searchLines(lines, ".*")).toEqual([2])
  expect(searchLines(lines, "(3")).toEqual([1])
  expect(searchLines(lines, "")).toEqual([])
})
