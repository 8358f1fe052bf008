import { expect, it } from "vitest"
import { formatCursor, parseCursor } from "./cursor.ts"

it("a formatted cursor is parsed back to the same", () => {
  const cursor = { rootID: "ses_0123456789abABCDEFGHIJKLMN", seq: 42 }
  expect(parseCursor(formatCursor(cursor))).toEqual(cursor)
})

it.each([
  "",
  ":",
  "ses_a",
  "ses_a:",
  "ses_a:-1",
  "ses_a:1.5",
  "ses_a:01",
  "ses_a:1e9",
  "ses a:1",
  "ses_a:1:2",
  "ses_a:9".padEnd(40, "9"),
])("%j is not a cursor", (text) => {
  expect(parseCursor(text)).toBeNull()
})
