import { describe, expect, it } from "vitest"
import { formatClock, formatDateTime, formatDay } from "./format.ts"

const at = (hour: number, minute: number) => new Date(2026, 2, 12, hour, minute, 5).getTime()

describe("the time of day", () => {
  it("is shown by a 24-hour clock in every language", () => {
    expect([at(0, 7), at(9, 5), at(14, 2)].map((time) => formatClock(time))).toEqual(["00:07", "09:05", "14:02"])
  })

  it("includes seconds when shown with its date", () => {
    expect([at(0, 7), at(14, 2)].map(formatDateTime)).toEqual(["Mar 12, 2026, 00:07:05", "Mar 12, 2026, 14:02:05"])
  })

  it("is shown in UTC where the reader's time zone is unknown", () => {
    const time = Date.UTC(2026, 2, 12, 0, 7)
    expect(`${formatDay(time, "UTC")}, ${formatClock(time, "UTC")}`).toBe("March 12, 2026, 00:07")
  })
})
