import type { StepChange } from "@docket/core"
import { expect, it } from "vitest"
import { changesOf, isNewSince } from "./changes-of.ts"

// Only the fields that the code reads.
const change = (taskID: string | null, messageID: string) => ({ taskID, messageID, path: "a.ts" }) as StepChange

it("a task's files exclude those of delegated tasks", () => {
  const changes = [change("tsk_1", "msg_1"), change("tsk_2", "msg_2"), change(null, "msg_3")]
  expect(changesOf(changes, "tsk_1")).toEqual([changes[0]])
  expect(changesOf(changes, null)).toEqual([changes[2]])
})

it("a file changed after the reader's last look is marked", () => {
  const file = { changes: [change("tsk_1", "msg_1"), change("tsk_1", "msg_4")] }
  const seen = (messageID: string) => ({ at: 0, newParts: 0, changed: false, last: { messageID, partID: "prt_1" } })
  expect(isNewSince(file, seen("msg_2"))).toBe(true)
  expect(isNewSince(file, seen("msg_4"))).toBe(false)
  expect(isNewSince(file, null)).toBe(false)
})
