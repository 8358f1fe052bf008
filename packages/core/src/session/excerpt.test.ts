import fc from "fast-check"
import { expect, test } from "vitest"
import { excerptOf } from "./excerpt.ts"

test("shows the text around the first word, on one line, with every word marked", () => {
  const text = `${"before ".repeat(40)}the Parser\n  holds a lock${" after".repeat(60)}`
  const excerpt = excerptOf(text, ["lock", "parser"])
  expect(excerpt.text).toMatch(/^…(before )+the Parser holds a lock( after)+/)
  expect(excerpt.text.endsWith("…")).toBe(true)
  expect(excerpt.marks.map(({ start, end }) => excerpt.text.slice(start, end))).toEqual(["Parser", "lock"])
})

test("a short text is shown whole, and words that overlap are one mark", () => {
  expect(excerptOf("abcabc", ["abc", "bca"])).toEqual({ text: "abcabc", marks: [{ start: 0, end: 6 }] })
})

test("leaves out the marks of Markdown, unless they were looked for", () => {
  const text = "`src/a.ts` is **done**:\n```ts\nrun()\n```\n"
  expect(excerptOf(text, ["done"]).text).toBe("src/a.ts is done: run()")
  expect(excerptOf(text, ["**done"]).text).toContain("is **done**")
})

test("is short, and its marks are words, in order and apart, whatever the text", () => {
  const words = fc.array(fc.string({ minLength: 1, maxLength: 5, unit: "grapheme" }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.string({ maxLength: 600, unit: "grapheme" }), words, (text, wanted) => {
      const { text: shown, marks } = excerptOf(text, wanted)
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
