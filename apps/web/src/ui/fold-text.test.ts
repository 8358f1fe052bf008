import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { countLines, foldText } from "./fold-text.ts"

const shown = { head: 20, tail: 5 }
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n")

test("a text that fits, or nearly, is shown whole", () => {
  expect(foldText("", shown)).toBeNull()
  expect(foldText(numbered(25), shown)).toBeNull()
  expect(foldText(numbered(31), shown)).toBeNull()
})

test("a long text shows both ends and its length", () => {
  const folded = foldText(`${numbered(12_000)}\n`, shown)
  expect(folded?.head).toBe(numbered(20))
  expect(folded?.tail).toBe("line 11996\nline 11997\nline 11998\nline 11999\nline 12000\n")
  expect(folded?.lines).toBe(12_000)
})

test("a long line counts as several, without splitting characters", () => {
  const folded = foldText("日本🙂".repeat(262_144), shown)
  expect(folded?.lines).toBe(1)
  expect(folded?.head.length).toBeLessThanOrEqual(20 * 96)
  expect(folded?.tail.length).toBeLessThanOrEqual(5 * 96 + 1)
  expect([folded?.head.isWellFormed(), folded?.tail.isWellFormed()]).toEqual([true, true])
})

test("lines are counted as an editor does", () => {
  expect([countLines(""), countLines("a"), countLines("a\n"), countLines("a\n\nb"), countLines("a\n\n")]).toEqual([
    1, 1, 1, 3, 2,
  ])
})

const piece = fc.oneof(fc.constantFrom("\n", "\n\n", "word ", "🙂"), fc.string({ maxLength: 200 }))
const texts = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(""))
const limits = fc.record({ head: fc.integer({ min: 1, max: 30 }), tail: fc.integer({ min: 0, max: 20 }) })
/** The height of a text in lines; long lines count as several. */
const height = (text: string) =>
  text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 96)), 0)

test("both ends come from the text, do not overlap and fit", () => {
  fc.assert(
    fc.property(texts, limits, (text, ends) => {
      const folded = foldText(text, ends)
      if (folded === null) {
        expect(height(text)).toBeLessThanOrEqual(ends.head + ends.tail + 8)
        return
      }
      const { head, tail, tailAt } = folded
      expect(text.startsWith(head)).toBe(true)
      expect(text.slice(tailAt)).toBe(tail)
      expect(head.length).toBeLessThanOrEqual(tailAt)
      expect(height(head)).toBeLessThanOrEqual(ends.head)
      expect(height(tail.replace(/\n$/, ""))).toBeLessThanOrEqual(ends.tail + 1)
    }),
    drawn(),
  )
})
