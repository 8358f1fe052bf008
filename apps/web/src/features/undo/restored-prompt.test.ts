import type { Part } from "@docket/core/schema"
import { expect, it } from "vitest"
import { restoredPrompt, withRestored } from "./restored-prompt.ts"

const place = { sessionID: "ses_1", messageID: "msg_1" }

it("takes what the person wrote and attached, not what Docket added", () => {
  const parts: Part[] = [
    { ...place, id: "prt_1", type: "text", text: "Look at @a.ts" },
    { ...place, id: "prt_2", type: "file", mime: "text/plain", url: "file:///p/a.ts", filename: "a.ts" },
    { ...place, id: "prt_3", type: "text", text: "contents", synthetic: true },
  ]
  expect(restoredPrompt(parts)).toEqual({ put: "Look at @a.ts", take: "", files: ["a.ts"] })
})

it("keeps what is being written, and takes back only what it put there", () => {
  const undo = { put: "old", take: "", files: [] }
  expect(withRestored("", undo)).toBe("old")
  expect(withRestored("new", undo)).toBe("old\nnew")
  expect(withRestored("old", undo)).toBe("old")
  const redo = { put: "", take: "old", files: [] }
  expect(withRestored("old", redo)).toBe("")
  expect(withRestored("old, edited", redo)).toBe("old, edited")
})
