import { expect, it } from "vitest"
import { fitsInPlace } from "./fits-in-place.ts"

it("a long text, or many paragraphs, opens over the page", () => {
  expect(fitsInPlace("a paragraph\n\n".repeat(900))).toBe(true)
  expect(fitsInPlace("a\n\n".repeat(10_000))).toBe(false)
  expect(fitsInPlace("word ".repeat(10_000))).toBe(false)
})
