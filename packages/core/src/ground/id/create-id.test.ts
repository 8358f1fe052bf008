import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { MessageID, SessionID } from "../schema/index.ts"
import { createIdSource } from "./create-id.ts"

test("ids contain the full 48-bit time, so later ids sort last", () => {
  const early = createIdSource(() => 2 ** 40)("message")
  const late = createIdSource(() => 2 ** 40 + 2 ** 36)("message")
  expect(early < late).toBe(true)
  expect(MessageID.safeParse(late).success).toBe(true)
})

test("ids of one source always ascend, session ids descend", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 41 }), { minLength: 2, maxLength: 60 }), (times) => {
      let at = 0
      const createID = createIdSource(() => times[at++ % times.length] ?? 0)
      const messages = times.map(() => createID("message"))
      const sessions = times.map(() => createID("session"))
      expect(messages).toEqual(messages.toSorted())
      expect(sessions).toEqual(sessions.toSorted().reverse())
      expect(new Set([...messages, ...sessions]).size).toBe(times.length * 2)
      expect(sessions.every((id) => SessionID.safeParse(id).success)).toBe(true)
    }),
    drawn(),
  )
})

test("a burst in one millisecond keeps the order", () => {
  const createID = createIdSource(() => 1_700_000_000_000)
  const ids = Array.from({ length: 10_000 }, () => createID("part"))
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})
