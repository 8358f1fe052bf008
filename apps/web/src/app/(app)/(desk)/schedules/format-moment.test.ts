import { expect, it } from "vitest"
import { formatMoment } from "./format-moment.ts"

it("formatMoment names the day when it is near, else the date", () => {
  const now = new Date(2026, 2, 11, 15, 0).getTime()
  const at = (month: number, date: number, year = 2026) =>
    formatMoment(new Date(year, month, date, 9, 0).getTime(), now)
  expect(at(2, 11)).toBe("today 09:00")
  expect(at(2, 12)).toBe("tomorrow 09:00")
  expect(at(2, 10)).toBe("yesterday 09:00")
  expect(at(2, 16)).toBe("Mon 09:00")
  expect(at(3, 2)).toBe("Apr 2 09:00")
  expect(at(0, 5, 2027)).toBe("Jan 5, 2027 09:00")
})
