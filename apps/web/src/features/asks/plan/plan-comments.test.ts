import { expect, it } from "vitest"
import { commentsText, quoteOf } from "./plan-comments.ts"

it("each comment is sent after the text that it quotes", () => {
  const comments = [
    { quote: "Add the page\nin src", text: "Which one?" },
    { quote: null, text: "Shorter." },
  ]
  expect(commentsText(comments)).toBe("> Add the page\n> in src\n\nWhich one?\n\nShorter.")
})

it("a selected quote is trimmed, and a long one is shortened", () => {
  expect(quoteOf(" \n one \n\n  two ")).toBe("one\ntwo")
  expect(quoteOf(" \n ")).toBe(null)
  expect(quoteOf("x".repeat(9_000))).toHaveLength(600)
})
