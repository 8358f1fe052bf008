import { replayAxis } from "@docket/core/replay"
import { expect, test } from "vitest"
import { ticksOf } from "./ticks.ts"

test("prompts, waits and errors are ticks, once per place, errors on top", () => {
  const stops = [
    { at: 0, kind: "prompt" },
    { at: 100, kind: "error" },
    { at: 100, kind: "error" },
    { at: 200, kind: "wait" },
    { at: 400, kind: "other" },
  ] as const
  expect(ticksOf(stops, replayAxis(stops.map(({ at }) => at)))).toEqual([
    { kind: "prompt", left: 0 },
    { kind: "wait", left: 50 },
    { kind: "error", left: 25 },
  ])
})
