import fc from "fast-check"
import { expect, test } from "vitest"
import { formatCost, formatTokens } from "./format-usage.ts"

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })

test("tokens read as in the compact notation of the language", () => {
  expect([0, 940, 999, 1_000, 12_449, 999_949, 999_950, 1_250_000].map(formatTokens)).toEqual([
    "0",
    "940",
    "999",
    "1K",
    "12.4K",
    "999.9K",
    "1M",
    "1.3M",
  ])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (tokens) => {
      expect(formatTokens(tokens)).toBe(compact.format(tokens))
    }),
  )
})

test("a cost from one cent up reads as an amount of dollars", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (cents) => {
      expect(formatCost(cents / 100)).toBe(dollars.format(cents / 100))
    }),
  )
})
