import type { ThreadView } from "@docket/core"
import type { ReviewComment, ReviewPlace } from "@docket/core/schema"
import { expect, test } from "vitest"
import { commentCounts } from "./comment-counts.ts"
import { sentLabel, stateLabel } from "./comment-labels.ts"
import type { LocalDraft } from "./draft-box.ts"
import { unsentOf } from "./to-send.ts"

const by = { person: "local", workspace: "local" }
const part = { kind: "part", messageID: "msg_1", partID: "prt_1" } as const
const sent = { id: "prt_s", to: "child", sessionID: "ses_1", messageID: null, by, at: 1 } as const

function comment(id: string, more: Partial<ReviewComment> = {}): ReviewComment {
  const time = { created: 1, edited: null, deleted: null }
  const at = { rootID: "ses_0", sessionID: "ses_1", threadID: "rvt_1" }
  return { id, ...at, by, text: id, mentions: [], sent: null, answer: null, time, ...more }
}

function thread(id: string, comments: ReviewComment[], isResolved = false): ThreadView {
  const resolved = isResolved ? { by, at: 1 } : null
  const at = { rootID: "ses_0", sessionID: "ses_1", taskID: "tsk_1" }
  return {
    thread: { id, ...at, anchor: part, by, resolved, time: { created: 1 } },
    comments,
    anchor: { state: "there" },
  }
}

function draft(text: string, place: ReviewPlace = part, more: Partial<LocalDraft> = {}): LocalDraft {
  const saved = { draftID: `rvc_${text}`, text, since: 1 }
  const at = { sessionID: "ses_1", place, quote: "quoted" }
  return { key: text, at, text, saved, posting: false, state: { is: "kept" }, replaced: null, ...more }
}

const threads = [
  thread("rvt_1", [
    comment("own"),
    comment("sent", { sent }),
    comment("deleted", { time: { created: 1, edited: null, deleted: 2 } }),
    comment("of another", { by: { person: "ann", workspace: "local" } }),
  ]),
  thread("rvt_2", [comment("resolved")], true),
]

test("own unsent comments in open threads and saved drafts can be sent", () => {
  const text = { ...part, kind: "text", of: "text", from: 0, to: 6 } as const
  const drafts = [
    draft("said", text),
    draft("being posted", part, { posting: true }),
    draft("new", part, { saved: null }),
  ]
  const unsent = unsentOf({ sessionID: "ses_1", person: "local" }, threads, drafts)
  expect(unsent.map(({ id, isDraft }) => [id, isDraft])).toEqual([
    ["own", false],
    ["rvc_said", true],
  ])
  expect(unsent[1]?.thread.anchor).toMatchObject({ kind: "text", quote: "quoted" })
  expect(unsentOf({ sessionID: "ses_2", person: "local" }, threads, drafts)).toEqual([])
})

test("open threads and drafts are counted by part, session and tree", () => {
  const counts = commentCounts(threads, [draft("said"), draft(" ")])
  for (const id of ["prt_1", "ses_1", "tree"]) expect(counts.get(id), id).toEqual({ open: 1, drafts: 1 })
  expect([...counts.keys()]).toHaveLength(3)
})

test("a comment shows its delivery and whether its place is gone", () => {
  expect(sentLabel({ sent: null, answer: null }, "@a")).toBeNull()
  expect(sentLabel({ sent, answer: null }, "@a")).toBe("Sent to @a · not read yet")
  const read = { ...sent, messageID: "msg_2" }
  expect(sentLabel({ sent: read, answer: null }, "@a")).toBe("Sent to @a · read, at work on it")
  expect(sentLabel({ sent: read, answer: { messageID: "msg_3" } }, "@a")).toBe("Sent to @a · read · answered")
  expect(stateLabel({ state: "there" }, true)).toBeNull()
  expect(stateLabel({ state: "gone" }, true)).toContain("It said:")
})
