import { expect, it } from "vitest"
import { commentsText, quoteOf } from "./plan-comments.ts"

it("sends each comment behind the words that it is about", () => {
  const comments = [
    { quote: "Add the page\nin src", text: "Which one?" },
    { quote: null, text: "Shorter." },
  ]
  expect(commentsText(comments)).toBe("> Add the page\n> in src\n\nWhich one?\n\nShorter.")
})

it("trims the selected quote and shortens a long one", () => {
  expect(quoteOf(" \n one \n\n  two ")).toBe("one\ntwo")
  expect(quoteOf(" \n ")).toBe(null)
  expect(quoteOf("x".repeat(9_000))).toHaveLength(600)
})
