import { expect, test } from "vitest"
import { commentText, maxComment, mentionsOf } from "./comment-text.ts"

test("names after @ are mentions, once each, except in code or addresses", () => {
  expect(mentionsOf("@ann, ask @bo.b and @ann. See me@example.com, `@code` and\n```\n@fence\n```\n(@zoë-1)")).toEqual([
    "ann",
    "bo.b",
    "zoë-1",
  ])
})

test("huge and empty comments are refused, a huge one with its size", () => {
  expect(() => commentText("x".repeat(1_048_576))).toThrow("1048576 characters and the most is 20000")
  expect(commentText(` ${"x".repeat(maxComment)} `)).toHaveLength(maxComment)
  expect(() => commentText(" \n")).toThrow("The comment is empty")
})

test("a comment of only invisible characters is empty, an emoji is not", () => {
  for (const text of ["\u200b", "\u2060 \ufeff", "\u202e\u0000", "\u3164", "\u2800", "\u{e0041}"]) {
    expect(() => commentText(text)).toThrow("The comment is empty")
  }
  for (const text of ["👩‍💻", "?", "\u200bא"]) expect(commentText(text)).toBe(text)
})
