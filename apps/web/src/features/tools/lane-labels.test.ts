import { expect, it } from "vitest"
import { laneLabels } from "./lane-labels.ts"

it("lane labels tell a task's work, waits and failed calls", () => {
  const times = { worked: { ms: 8_000, since: null }, waited: { ms: 12_000, since: 20_000 } }
  const failed = { kind: "error", from: 15_000, until: 15_000 } as const
  expect(laneLabels(times, [failed], 40_000)).toEqual(["worked 8.0 s, waited 32 s", "1 call failed"])
  const brief = { worked: { ms: -100, since: 200 }, waited: { ms: 200, since: null } }
  expect(laneLabels(brief, [], 900)).toEqual(["worked 0.6 s"])
  expect(laneLabels(null, [], 900)).toEqual([])
})
