import { expect, it } from "vitest"
import { formatCountdown, formatDuration } from "./format-duration.ts"

it("a duration is shown in the units that people read", () => {
  expect([0, 4_240, 9_999, 38_900, 188_000, 3_840_000, 86_400_000].map(formatDuration)).toEqual([
    "0.0 s",
    "4.2 s",
    "9 s",
    "38 s",
    "3 m 08 s",
    "1 h 04 m",
    "24 h",
  ])
})

it("a countdown shows whole seconds, rounded up", () => {
  expect([-5, 1, 4_001, 59_001, 394_000, 7_260_000].map(formatCountdown)).toEqual([
    "0 s",
    "1 s",
    "5 s",
    "1 m 00 s",
    "6 m 34 s",
    "2 h 01 m",
  ])
})
