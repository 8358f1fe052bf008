import type { TreeState } from "@docket/client"
import type { MessageWithParts, Session, SessionRevert } from "@docket/core/schema"
import { treeFromSnapshot } from "@docket/core/tree"
import { expect, it } from "vitest"
import { whyNot } from "./why-not.ts"

const prompt = { info: { id: "msg_1", role: "user" }, parts: [{ type: "text", text: "Go" }] } as MessageWithParts

/** Only the fields of a tree that are read. */
function treeOf({ busy = false, messages = [prompt], revert = null as { messageID: string } | null }): TreeState {
  const session = { id: "ses_1", status: { type: busy ? "busy" : "idle" }, revert: revert as SessionRevert | null }
  const sessions = [session as Session]
  const tree = treeFromSnapshot("ses_1", { seq: 1, sessions, permissions: [], todos: {}, turns: [], tasks: [] })
  return { ...tree, transcripts: { ses_1: { messages, before: null, after: null } } }
}

const cannot = (input: Parameters<typeof treeOf>[0]) => Object.keys(whyNot(treeOf(input), "ses_1"))

it("stop, undo and redo are refused when they do not apply", () => {
  expect(cannot({})).toEqual(["stop", "redo"])
  expect(cannot({ messages: [] })).toEqual(["stop", "undo", "redo"])
  expect(cannot({ revert: { messageID: "msg_1" } })).toEqual(["stop", "undo"])
  expect(cannot({ busy: true })).toEqual(["undo", "redo"])
  expect(cannot({ busy: true, revert: { messageID: "msg_1" } })).toEqual(["undo", "redo"])
})

it("undo stays possible while earlier messages are not loaded", () => {
  const tree = treeOf({ messages: [] })
  const more = { ...tree, transcripts: { ses_1: { messages: [], before: "msg_0", after: null } } }
  expect(whyNot(more, "ses_1").undo).toBeUndefined()
})
