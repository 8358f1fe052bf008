import { expect, it } from "vitest"
import { dayEnd, dayStart } from "./day-times.ts"

it("a day runs from midnight to midnight in the reader's time zone", () => {
  expect(dayStart("2026-03-12")).toBe(new Date(2026, 2, 12).getTime())
  expect(dayEnd("2026-03-12")).toBe(new Date(2026, 2, 13).getTime())
  expect(dayEnd("2026-12-31")).toBe(new Date(2027, 0, 1).getTime())
})

it("an invalid day counts as none", () => {
  for (const typed of ["", "2026", "12.03.2026", "2026-13-40", "1969-01-01"])
    expect([dayStart(typed), dayEnd(typed)]).toEqual([undefined, undefined])
})
