import { createTwoFilesPatch } from "diff"
import fc from "fast-check"
import { expect, test } from "vitest"
import { diffAnchorState, quoteOfDiff } from "./diff-lines.ts"

const patch = (before: string[], after: string[]) =>
  createTwoFilesPatch("a", "a", before.join("\n"), after.join("\n"), "", "", { context: 3 })
const anchor = (quote: string, from: number, to: number) =>
  ({ kind: "diff", scope: { kind: "task", taskID: "tsk_1" }, path: "a", side: "new", from, to, quote }) as const

test("quoted lines are in place, moved to their only match, or gone", () => {
  const first = patch([], ["one", "two", "three"])
  expect(diffAnchorState([first], anchor("two\nthree", 2, 3))).toEqual({ state: "there" })
  const later = patch([], ["zero", "one", "two", "three"])
  expect(diffAnchorState([later], anchor("two\nthree", 2, 3))).toEqual({ state: "moved", from: 3, to: 4 })
  expect(diffAnchorState([first, later], anchor("two\nthree", 2, 3))).toEqual({ state: "there" })
  expect(diffAnchorState([patch([], ["x", "two", "y", "two"])], anchor("two", 1, 1))).toEqual({ state: "gone" })
  expect(diffAnchorState([patch([], ["else"]), null], anchor("two", 2, 2))).toEqual({ state: "gone" })
  expect(diffAnchorState([], anchor("two", 2, 2))).toEqual({ state: "gone" })
})

test("lines are found again after any number of lines above them", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replace(/\s/g, "_"))
  fc.assert(
    fc.property(fc.uniqueArray(line, { minLength: 2, maxLength: 12 }), fc.nat(), fc.nat(20), (lines, at, more) => {
      const from = (at % lines.length) + 1
      const path = { kind: "diff", scope: { kind: "task", taskID: "tsk_1" }, path: "a", side: "new" } as const
      const place = { ...path, from, to: lines.length }
      const quoted = { ...place, quote: quoteOfDiff([patch([], [...lines, "end"])], place) }
      const above = Array.from({ length: more }, (_, index) => `above, line ${index}`)
      const state = diffAnchorState([patch([], [...above, ...lines, "end"])], quoted)
      expect(state).toEqual(
        more === 0 ? { state: "there" } : { state: "moved", from: from + more, to: lines.length + more },
      )
    }),
  )
})
