import type { Part } from "@docket/core/schema"
import { expect, it } from "vitest"
import { holdsPrompt, restoredPrompt, withRestored, withRestoredFiles } from "./restored-prompt.ts"

const place = { sessionID: "ses_1", messageID: "msg_1" }
const data = (name: string) => ({ mime: "text/plain", url: `data:text/plain;base64,${btoa(name)}`, filename: name })

it("a restored prompt has the person's text and files, not Docket's", () => {
  const parts: Part[] = [
    { ...place, id: "prt_1", type: "text", text: "Look at @a.ts, please" },
    { ...place, id: "prt_2", type: "file", mime: "text/plain", url: "file:///p/a.ts", filename: "a.ts" },
    { ...place, id: "prt_3", type: "text", text: "contents", synthetic: true },
    { ...place, id: "prt_4", type: "file", ...data("log.txt") },
    { ...place, id: "prt_5", type: "file", mime: "text/plain", url: "file:///p/b.ts", filename: "b.ts" },
  ]
  expect(restoredPrompt(parts)).toEqual({
    put: "Look at @a.ts, please",
    take: "",
    files: ["a.ts"],
    // A file that the text does not mention would be lost otherwise.
    attach: [data("log.txt"), { mime: "text/plain", url: "file:///p/b.ts", filename: "b.ts" }],
    detach: [],
  })
})

it("a prompt of only files, and a delegation as typed, are restored", () => {
  expect(holdsPrompt(restoredPrompt([{ ...place, id: "prt_1", type: "file", ...data("log.txt") }]))).toBe(true)
  const subtask = { type: "subtask", agent: "explore", description: "Look" } as const
  expect(restoredPrompt([{ ...subtask, prompt: "look around" }]).put).toBe("/agent explore look around")
  expect(restoredPrompt([{ ...subtask, prompt: "look\naround" }]).put).toBe("@explore look\naround")
  expect(holdsPrompt(restoredPrompt([{ type: "text", text: "Background tasks ended.", synthetic: true }]))).toBe(false)
})

it("the text being written stays; redo removes only what undo added", () => {
  const none = { files: [], attach: [], detach: [] }
  const undo = { put: "old", take: "", ...none }
  expect(withRestored("", undo)).toBe("old")
  expect(withRestored("new", undo)).toBe("old\nnew")
  expect(withRestored("old", undo)).toBe("old")
  const redo = { put: "", take: "old", ...none }
  expect(withRestored("old", redo)).toBe("")
  expect(withRestored("old, edited", redo)).toBe("old, edited")
})

it("a prompt's files are restored once, and redo removes only them", () => {
  const [mine, log] = [data("mine.txt"), data("log.txt")]
  const held = withRestoredFiles([mine], [log], [])
  expect(held).toEqual([log, mine])
  expect(withRestoredFiles(held, [log], [])).toEqual(held)
  expect(withRestoredFiles(held, [], [log])).toEqual([mine])
})
