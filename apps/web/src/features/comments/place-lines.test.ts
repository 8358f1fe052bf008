import type { StepChange } from "@docket/core"
import { expect, test } from "vitest"
import type { ShownLines } from "../commenting/comment-store.ts"
import { findLines, linesOf, scopeOf } from "./place-lines.ts"

const patch = (start: number, ...lines: string[]) =>
  `--- a\n+++ b\n@@ -1,0 +${start},${lines.length} @@\n${lines.map((line) => `+${line}`).join("\n")}\n`
const shown = (more: Partial<ShownLines> = {}): ShownLines => ({
  path: "a.txt",
  patch: patch(1, "one", "two", "three"),
  side: "new",
  from: 2,
  to: 3,
  messageIDs: ["msg_1"],
  partID: null,
  ...more,
})
const change = (more: Partial<StepChange>): StepChange => ({
  path: "a.txt",
  kind: "changed",
  lines: null,
  lack: null,
  sessionID: "ses_1",
  messageID: "msg_1",
  partID: "prt_1",
  agent: "build",
  promptID: "msg_0",
  taskID: null,
  ...more,
})

test("shown lines are found in the change by number or unique text", () => {
  expect(linesOf(shown().patch, shown())).toBe("two\nthree")
  expect(findLines([shown().patch], shown())).toEqual({ from: 2, to: 3 })
  expect(findLines([patch(1, "zero", "one", "two", "three")], shown())).toEqual({ from: 3, to: 4 })
  expect(findLines([null, patch(7, "two", "three")], shown())).toEqual({ from: 7, to: 8 })
  expect(findLines([patch(1, "x", "two", "three", "two", "three")], shown())).toEqual({ from: 2, to: 3 })
  expect(findLines([patch(5, "two", "three", "two", "three")], shown())).toBeNull()
  expect(findLines([patch(1, "else")], shown())).toBeNull()
  expect(findLines([shown().patch], shown({ from: 3, to: 9 }))).toBeNull()
})

test("lines belong to the task that changed them, else to the prompt", () => {
  const changes = [change({}), change({ messageID: "msg_2", partID: "prt_2", taskID: "tsk_1", sessionID: "ses_2" })]
  expect(scopeOf(changes, shown())?.scope).toEqual({ kind: "turn", promptID: "msg_0" })
  expect(scopeOf(changes, shown({ messageIDs: ["msg_1", "msg_2"] }))).toMatchObject({
    scope: { kind: "task", taskID: "tsk_1" },
    change: { sessionID: "ses_2" },
  })
  expect(scopeOf(changes, shown({ messageIDs: null, partID: "prt_1", path: "/abs/a.txt" }))?.scope.kind).toBe("turn")
  expect(scopeOf(changes, shown({ messageIDs: null, partID: "prt_9" }))).toBeNull()
  expect(scopeOf([change({ promptID: null })], shown())).toBeNull()
})
