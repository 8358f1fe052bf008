import fc from "fast-check"
import { expect, test } from "vitest"
import { replayAxis, stopFrom } from "./replay-axis.ts"

const minute = 60_000
const stops = fc.array(fc.nat({ max: 100 * minute }), { minLength: 2 }).map((list) => list.sort((a, b) => a - b))

test("position and time on the axis map to each other in order", () => {
  fc.assert(
    fc.property(stops, fc.nat({ max: 100 * minute }), fc.nat({ max: 100 * minute }), (list, one, other) => {
      const axis = replayAxis(list)
      const inside = Math.max(axis.from, Math.min(axis.until, one))
      if (axis.from < axis.until) expect(Math.abs(axis.timeAt(axis.positionOf(inside)) - inside)).toBeLessThanOrEqual(1)
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)]
      expect(axis.positionOf(earlier)).toBeLessThanOrEqual(axis.positionOf(later))
    }),
  )
})

test("a night between prompts takes at most five minutes of the axis", () => {
  const night = 600 * minute
  const axis = replayAxis([0, 5 * minute, night, night + 5 * minute])
  expect(axis.positionOf(5 * minute)).toBeCloseTo(1 / 3)
  expect(axis.positionOf(night)).toBeCloseTo(2 / 3)
  expect(axis.after(5 * minute, 5 * minute)).toBe(night)
  expect(axis.after(night, 10 * minute)).toBe(night + 5 * minute)
})

test("the next event is after a time and the previous before it", () => {
  expect(stopFrom([1, 5, 5, 9], 5, 1)).toBe(9)
  expect(stopFrom([1, 5, 5, 9], 5, -1)).toBe(1)
  expect(stopFrom([1, 5, 5, 9], 9, 1)).toBeNull()
})
