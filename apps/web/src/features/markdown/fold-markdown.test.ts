import { expect, test } from "vitest"
import { foldMarkdown } from "./fold-markdown.ts"

const lines = (count: number, word: string) => Array.from({ length: count }, (_, index) => `${word} ${index}`)
const shown = { head: 10, tail: 4 }

test("code that is cut goes on as code of its language", () => {
  const text = ["Look:", "```ts", ...lines(200, "x"), "```", "Fix it."].join("\n")
  expect(foldMarkdown(text, shown)?.tail).toBe("```ts\nx 198\nx 199\n```\nFix it.")
})

test("code that ends before the cut does not change the tail", () => {
  const text = ["```", "x", "```", ...lines(200, "word")].join("\n")
  expect(foldMarkdown(text, shown)?.tail).toBe(lines(200, "word").slice(-4).join("\n"))
})

test("a text that is short stays whole", () => {
  expect(foldMarkdown("```\nx\n```", shown)).toBeNull()
})
