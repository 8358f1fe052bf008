import fc from "fast-check"
import { expect, test } from "vitest"
import { parseSearch, type SearchTerm } from "../../ground/query/index.ts"
import { excerptOf } from "./excerpt.ts"

function termsOf(text: string): readonly SearchTerm[] {
  return parseSearch(text, { now: 0, utcOffset: 0, person: "ann", isTyping: false }).ask?.terms ?? []
}

test("an excerpt shows the text around the first match, with words marked", () => {
  const text = `${"before ".repeat(40)}the Parser\n  holds a lock${" after".repeat(60)}`
  const excerpt = excerptOf(text, termsOf("lock parser"))
  expect(excerpt.text).toMatch(/^…(before )+the Parser holds a lock( after)+/)
  expect(excerpt.text.endsWith("…")).toBe(true)
  expect(excerpt.marks.map(({ start, end }) => excerpt.text.slice(start, end))).toEqual(["Parser", "lock"])
})

test("a short text is shown whole, and marks that overlap are one", () => {
  const terms = termsOf('"one two" "two three"')
  expect(excerptOf("one two three", terms)).toEqual({ text: "one two three", marks: [{ start: 0, end: 13 }] })
})

test("matches with accents, prefixes, code names and Chinese are marked", () => {
  const { text, marks } = excerptOf("Ünïcödé parseQuery src/main.ts 日本語", termsOf("unicode query mai* 本語"))
  expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(["Ünïcödé", "Query", "main", "本語"])
})

test("an excerpt leaves out the marks of Markdown", () => {
  const text = "`src/a.ts` is **done**:\n```ts\nrun()\n```\n"
  expect(excerptOf(text, termsOf("done")).text).toBe("src/a.ts is done: run()")
})

test("an excerpt is short, with ordered, separate marks for any text", () => {
  const words = fc.string({ maxLength: 20, unit: "grapheme" })
  fc.assert(
    fc.property(fc.string({ maxLength: 600, unit: "grapheme" }), words, (text, wanted) => {
      const { text: shown, marks } = excerptOf(text, termsOf(wanted))
      expect(shown.length).toBeLessThanOrEqual(162)
      let end = -1
      for (const mark of marks) {
        expect(mark.start).toBeGreaterThan(end)
        expect(mark.end).toBeLessThanOrEqual(shown.length)
        end = mark.end
      }
    }),
  )
})
