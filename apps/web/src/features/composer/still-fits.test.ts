import { expect, test } from "vitest"
import { stillFits } from "./still-fits.ts"

test.each([
  ["New York", "n", true],
  ["New York", '"New', true],
  ["Paris", "n", false],
  ["src/greeting.js", "sgr", true],
  ["src/greeting.js", "grs", true],
  ["src/greeting.js", "jsg", false],
  ["users", "", true],
])("%s for the typed %s: %s", (suggestion, typed, fits) => {
  expect(stillFits(suggestion, typed)).toBe(fits)
})
