import { expect, test } from "vitest"
import type { Part } from "../schema/index.ts"
import { noticeOf, plainResults, readOlderNotice } from "./notice-of.ts"

test("the text of command results is parsed into commands and lines", () => {
  const text = [
    "[/todo add milk]\nOK: added #1 — milk\n  description: and bread\n[END TODO]",
    "[/todo]\nERR: usage: /todo (add|list)\n[END TODO]",
    "[/todo cancel 1]\nOK: canceled — milk\n[END TODO]",
    "[/agent explore look]\nFound:\n[END TODO]\n[END AGENT]\n- a\n[END AGENT]",
    "[/todo list]\n2 open (1 in progress, 1 pending):\n▶ #1 [in_progress] milk\n#2 [pending] eggs (tenant-wide)\n[END TODO]",
    "[END TOOL RESULTS]",
    "[/parallel 2 children]\n[child 1/2 — /agent explore]\nleft\n[END CHILD 1]\nand more\n[END CHILD 1]\n[child 2/2 — /agent general]\nERR: no\n[END CHILD 2]\n[END PARALLEL]",
    "[TOOL RESULTS TRUNCATED: budget exhausted]",
    "[END TOOL RESULTS]",
  ].join("\n")
  expect(readOlderNotice(text)).toEqual({
    kind: "commands",
    state: "done",
    results: [
      {
        command: "/todo add milk",
        lines: [
          { kind: "done", text: "added #1 — milk" },
          { kind: "text", text: "  description: and bread" },
        ],
      },
      { command: "/todo", lines: [{ kind: "failed", text: "usage: /todo (add|list)" }] },
      { command: "/todo cancel 1", lines: [{ kind: "status", status: "cancelled", content: "milk" }] },
      {
        command: "/agent explore look",
        lines: [{ kind: "answer", agent: "explore", failed: false, text: "Found:\n[END TODO]\n[END AGENT]\n- a" }],
      },
      {
        command: "/todo list",
        lines: [
          { kind: "text", text: "2 open (1 in progress, 1 pending):" },
          { kind: "todo", number: 1, status: "in_progress", content: "milk", everyone: false },
          { kind: "todo", number: 2, status: "pending", content: "eggs", everyone: true },
        ],
      },
      {
        command: "/parallel 2 children",
        lines: [
          { kind: "answer", agent: "explore", failed: false, text: "left\n[END CHILD 1]\nand more" },
          { kind: "answer", agent: "general", failed: true, text: "no" },
        ],
      },
      { command: null, lines: [{ kind: "text", text: "TOOL RESULTS TRUNCATED: budget exhausted" }] },
    ],
  })
})

test.each(["", "Done.", "[/todo list]\nno end", "[x]\n[END TOOL RESULTS]", "[/todo list]\n(no todos)\n[END TODO]"])(
  "%j is no notice",
  (text) => expect(readOlderNotice(text)).toBeNull(),
)

test.each([
  ["The commands above are being carried out.", "running"],
  [
    "The commands above were stopped: some of them may have taken effect. Look at how things stand before you repeat them.",
    "stopped",
  ],
])("commands without results have a state: %s", (text, state) => {
  expect(readOlderNotice(text)).toEqual({ kind: "commands", state, results: [] })
})

const ended = `<system-reminder>
Background tasks have ended. Take the outcome into account; tell the user what matters.

Task #3 "Map it" (@explore):
status: complete
task_id: ses_1

<task_result>
Task of two lines:
- \`a.ts:1\`
</task_result>

Task #4 "Count" (@general):
status: error
task_id: ses_2
error_type: timed_out

The task ran out of time.

<partial_result>
Half.
</partial_result>

Task #5 "Ask" (@general):
status: error
task_id: ses_3
error_type: APIError

Overloaded.
</system-reminder>`

test("the end of background tasks is parsed with each state and answer", () => {
  expect(readOlderNotice(ended)).toEqual({
    kind: "tasks-ended",
    tasks: [
      {
        number: 3,
        sessionID: "ses_1",
        agent: "explore",
        description: "Map it",
        state: "completed",
        text: "Task of two lines:\n- `a.ts:1`",
      },
      { number: 4, sessionID: "ses_2", agent: "general", description: "Count", state: "timed_out", text: "Half." },
      { number: 5, sessionID: "ses_3", agent: "general", description: "Ask", state: "failed", text: "Overloaded." },
    ],
  })
})

test("restart reminders are recognised, all other reminders are remarks", () => {
  expect(readOlderNotice("<system-reminder>You work in a worktree.</system-reminder>")).toEqual({
    kind: "remark",
    text: "You work in a worktree.",
  })
  const restarted = "<system-reminder>The Docket process was restarted while you worked. Go on.</system-reminder>"
  expect(readOlderNotice(restarted)).toEqual({ kind: "restarted" })
})

test("stored data overrides the text, and a person's text is no notice", () => {
  const place = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text" } as const
  const notice = { kind: "commands", state: "done", results: [{ command: "/todo list", lines: [] }] } as const
  const part: Part = { ...place, text: "reworded", synthetic: true, notice: structuredClone(notice) as never }
  expect(noticeOf(part)).toEqual(notice)
  expect(noticeOf({ ...place, text: "[/todo list]\n(no todos)\n[END TODO]\n[END TOOL RESULTS]" })).toBeNull()
})

test("people read results as commands followed by their lines", () => {
  const lines = [{ kind: "done", text: "added #1 — milk" } as const]
  const results = [
    { command: "/todo add milk", lines },
    { command: null, lines: [{ kind: "text", text: "cut" } as const] },
  ]
  expect(plainResults({ kind: "commands", state: "done", results })).toBe("/todo add milk\nOK: added #1 — milk\n\ncut")
})
