import { expect, test } from "vitest"
import { fitLine, wrapLine } from "./columns.ts"

test.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["one too many", 11, "one too ma…"],
  ["\u001b[31mred\u001b[0m", 3, "red"],
  ["日本語です", 6, "日本…"],
  ["👩‍👩‍👧 family", 4, "👩‍👩‍👧 …"],
])("%j fits into %i columns", (line, columns, fitting) => {
  expect(fitLine(line, columns)).toBe(fitting)
})

test.each([
  ["one two three", 20, ["one two three"]],
  ["one two three", 7, ["one two", "three"]],
  ["one two three", 8, ["one two", "three"]],
  ["  │ one two three", 11, ["  │ one two", "  │ three"]],
  ["> one two", 5, ["> one", "> two"]],
  ["abcdefghij", 4, ["abcd", "efgh", "ij"]],
  ["日本語です", 4, ["日本", "語で", "す"]],
  ["  │ abc", 3, ["  │ a", "  │ b", "  │ c"]],
])("%j is broken for %i columns", (line, columns, pieces) => {
  expect(wrapLine(line, columns)).toEqual(pieces)
})
