import { expect, test } from "vitest"
import type { Session } from "../schema/index.ts"
import { workSpan } from "./work-span.ts"

const session = (created: number, updated: number, more: Partial<Session> = {}) => ({
  status: { type: "idle" } as const,
  time: { created, updated, archived: null },
  ...more,
})
const ended = (at: number) => ({ ended: { at, how: "completed" } as const })

test("work lasts from the first start to the newest end", () => {
  const root = session(1_000, 2_000, ended(9_000))
  expect(workSpan([root, session(3_000, 3_000, ended(60_000))])).toEqual({ start: 1_000, end: 60_000 })
  expect(workSpan([session(1_000, 90_000, ended(9_000))])).toEqual({ start: 1_000, end: 9_000 })
  expect(workSpan([session(1_000, 2_000)])).toEqual({ start: 1_000, end: 2_000 })
})

test("work that goes on has no end yet", () => {
  const root = session(1_000, 2_000, ended(9_000))
  expect(workSpan([root, session(3_000, 3_000, { status: { type: "busy" } })])).toEqual({ start: 1_000, end: null })
})
