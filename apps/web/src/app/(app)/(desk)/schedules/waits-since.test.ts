import { expect, test } from "vitest"
import { waitsSince } from "./waits-since.ts"

test("an active schedule waits from half a minute after its time", () => {
  const due = { status: "active", nextFireAt: 1_000 } as const
  expect([waitsSince(due, 31_000), waitsSince(due, 31_001)]).toEqual([null, 1_000])
  expect(waitsSince({ ...due, nextFireAt: null }, 31_001)).toBeNull()
  expect(waitsSince({ ...due, status: "paused" }, 31_001)).toBeNull()
})
