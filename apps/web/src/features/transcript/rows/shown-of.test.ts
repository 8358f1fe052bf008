import { expect, test } from "vitest"
import type { ToolView } from "../../tools/tool-view.ts"
import { shownOf } from "./shown-of.ts"

const change = {
  path: "a.ts",
  patch: "@@ -1 +1 @@\n-a\n+b\n",
  additions: 1,
  deletions: 1,
  created: false,
  movedFrom: null,
}
const diff: Pick<ToolView, "body" | "open" | "error"> = { body: { kind: "diff", change }, open: false, error: null }
const text: typeof diff = { body: { kind: "text", text: "a", language: null }, open: false, error: null }

test("a change shows its head until the reader opens it", () => {
  expect(shownOf(diff, undefined)).toEqual({ shown: "head", next: true })
  expect(shownOf(diff, true)).toEqual({ shown: "all", next: false })
  expect(shownOf(diff, false)).toEqual({ shown: "none", next: true })
})

test("bodies start closed, failures open, and each can be toggled", () => {
  expect(shownOf(text, undefined)).toEqual({ shown: "none", next: true })
  expect(shownOf({ ...diff, open: true, error: "no" }, undefined)).toEqual({ shown: "all", next: false })
  expect(shownOf({ ...text, body: { kind: "none" } }, true)).toEqual({ shown: "none", next: true })
})
