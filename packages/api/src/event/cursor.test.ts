import { expect, it } from "vitest"
import { formatCursor, parseCursor } from "./cursor.ts"

it("reads what it writes", () => {
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
])("does not take %j for a cursor", (text) => {
  expect(parseCursor(text)).toBeNull()
})
