import { expect, test } from "vitest"
import { addressAt, momentOf } from "./replay-address.ts"

test("only digits in an address name a moment", () => {
  expect(momentOf("1764000000000")).toBe(1_764_000_000_000)
  for (const text of [null, "", "now", "-5", "1e9", "1.5", "9".repeat(40)]) expect(momentOf(text)).toBeNull()
})

test("a replay address carries its moment; the live page's address has none", () => {
  const page = { pathname: "/s/ses_1", search: "?part=prt_1&tab=files" }
  expect(addressAt(page, 5)).toBe("/s/ses_1?tab=files&at=5")
  expect(addressAt({ ...page, search: "?at=5" }, null)).toBe("/s/ses_1")
})
