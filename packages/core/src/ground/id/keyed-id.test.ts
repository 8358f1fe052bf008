import { expect, test } from "vitest"
import { MemoryID, SessionID, TurnID } from "../schema/index.ts"
import { idTime } from "./id-time.ts"
import { keyedID } from "./keyed-id.ts"

test("each request has its own id of each kind, always the same", () => {
  expect(keyedID("turn", "a")).toBe(keyedID("turn", "a"))
  expect(keyedID("turn", "a")).not.toBe(keyedID("turn", "b"))
  expect(keyedID("memory", "a").slice(4)).not.toBe(keyedID("turn", "a").slice(4))
  for (const [schema, id] of [
    [TurnID, keyedID("turn", "a")],
    [SessionID, keyedID("session", "a")],
    [MemoryID, keyedID("memory", "a")],
  ] as const) {
    expect(schema.safeParse(id).success).toBe(true)
  }
})

test("a keyed id holds no time that would push the clock forward", () => {
  expect(idTime(keyedID("turn", "a"))).toBe(0)
  expect(idTime(keyedID("session", "a"))).toBe(0)
})
