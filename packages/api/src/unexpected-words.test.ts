import { expect, test } from "vitest"
import { unexpectedWords } from "./unexpected-words.ts"

test.each([
  new Error("commit", { cause: new Error("database or disk is full") }),
  Object.assign(new Error("no space left on device, write"), { code: "ENOSPC" }),
])("a full disk is named, with what to do: %s", (error) => {
  expect(unexpectedWords(new Error("call", { cause: error }))).toMatch(/^The disk .* is full.* Make room/)
})

test("other unexpected errors show nothing of the inside", () => {
  const circle = new Error("secret")
  circle.cause = circle
  expect([circle, "secret", null].map(unexpectedWords)).toEqual(Array(3).fill("internal error"))
})
