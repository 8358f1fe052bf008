import { expect, it } from "vitest"
import { fitsInPlace } from "./fits-in-place.ts"

it("opens over the page what is long, or has more paragraphs than a page draws at once", () => {
  expect(fitsInPlace("a paragraph\n\n".repeat(900))).toBe(true)
  expect(fitsInPlace("a\n\n".repeat(10_000))).toBe(false)
  expect(fitsInPlace("word ".repeat(10_000))).toBe(false)
})
