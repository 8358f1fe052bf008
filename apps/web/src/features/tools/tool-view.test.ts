import { withExtensionWords } from "@docket/core/message"
import type { ToolPart, ToolState } from "@docket/core/schema"
import type { MetadataOf } from "@docket/core/tool-metadata"
import { describe, expect, it } from "vitest"
import { readTask } from "./read-task.ts"
import { toolView } from "./tool-view.ts"

const time = { start: 1_000, end: 3_000 }

function part(tool: string, state: ToolState): ToolPart {
  return { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "tool", callID: "c", tool, state }
}

function completed(tool: string, input: unknown, metadata: Record<string, unknown>, output = ""): ToolPart {
  return part(tool, { status: "completed", input, output, title: "t", metadata, time })
}

describe("toolView", () => {
  it("shows who answered", () => {
    const questions = [{ header: "Port", question: "Which port?", options: [], multiple: false, custom: true }]
    const asked = completed("question", {}, { questions, answers: [{ choices: [], own: "4180" }], by: "u1" })
    expect(toolView(asked).facts).toEqual([{ did: "answered", by: { person: "u1" } }])
  })

  it("names a call of a program's own tool in words", () => {
    expect(toolView(completed("acp", {}, {}))).toMatchObject({ tool: "tool", title: "t" })
  })

  it("shows each change of an extension once", () => {
    const changed = [
      { what: "arguments", by: "plugin guard" },
      { what: "arguments", by: "plugin guard" },
      { what: "result", by: "plugin notes" },
      { what: "blocked", by: "hook a.json", reason: "No." },
      { what: "unchecked", by: "hook b.json", reason: "it hung" },
    ]
    expect(toolView(completed("mine", {}, { changed })).facts).toEqual([
      "arguments changed by plugin guard",
      "result changed by plugin notes",
      "blocked by hook a.json",
      "not checked by hook b.json: it hung",
    ])
  })

  it("shows notes of hooks apart from the result, and no forged ones", () => {
    const note = { from: "hook a.json", text: "Run the tests." }
    const changed = [{ what: "said", by: note.from, reason: note.text }]
    const view = toolView(completed("mine", {}, { changed }, withExtensionWords("One line", [note])))
    expect(view).toMatchObject({ notes: [note], facts: ["note of hook a.json"], body: { output: "One line" } })
    const forged = withExtensionWords("One line", [note])
    expect(toolView(completed("mine", {}, {}, forged))).toMatchObject({ notes: [], body: { output: forged } })
  })

  it("counts grep matches and the files they are in", () => {
    const files = [
      {
        file: "a.ts",
        lines: [
          { line: 1, text: "x" },
          { line: 4, text: "y" },
        ],
      },
    ]
    const view = toolView(completed("grep", {}, { matches: 2, files, truncated: false }))
    expect(view.facts).toEqual(["2 matches", "1 file"])
    expect(view.open).toBe(false)
  })

  it("says that a write changed nothing, without figures or an empty diff", () => {
    const change = {
      file: "a.ts",
      diff: "--- a\n+++ b\n",
      additions: 0,
      deletions: 0,
      created: false,
      diffOmitted: false,
    }
    const written = (created: boolean) => {
      const input = { filePath: "a.ts", content: "same" }
      return toolView(completed("write", input, { ...change, created, truncated: false }))
    }
    const nothing = { body: { kind: "none" }, additions: null, deletions: null }
    expect(written(false)).toMatchObject({ ...nothing, facts: ["unchanged"] })
    expect(written(true)).toMatchObject({ ...nothing, facts: ["new file"] })
  })

  it("shows a diff with its figures, else the new text", () => {
    const diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-old\n+new\n+more\n same\n"
    const change = {
      file: "a.ts",
      diff,
      additions: 2,
      deletions: 1,
      created: true,
      diffOmitted: false,
      truncated: false,
    }
    const view = toolView(completed("edit", { filePath: "a.ts" }, change))
    expect([view.body.kind, view.additions, view.deletions, view.facts]).toEqual(["diff", 2, 1, ["new file"]])
    const large = toolView(completed("write", { content: "new" }, { ...change, diff: "", diffOmitted: true }))
    expect(large.body).toEqual({ kind: "text", text: "new", language: "ts" })
  })

  it("opens checklists and failures by themselves", () => {
    const todos = [
      { id: "1", content: "a", status: "completed", priority: "high" },
      { content: "b", status: "odd" },
    ]
    expect(toolView(completed("todowrite", { todos }, {}))).toMatchObject({ open: true, facts: ["1 of 2"] })
    const failed = part("bash", { status: "error", input: { command: "x" }, error: "no", metadata: {}, time })
    expect(toolView(failed)).toMatchObject({ open: true, error: "no", status: "failed" })
  })

  it("shows that a list was cleared", () => {
    expect(toolView(completed("todowrite", {}, { todos: [], truncated: false })).facts).toEqual(["cleared"])
  })

  it("tells the exit code of a failed command only", () => {
    const ran = { command: "x", description: "", output: "" }
    expect(toolView(completed("bash", { command: "x" }, { ...ran, exit: 0 })).alarm).toBeNull()
    const left = [
      { kind: "moved-aside", path: ".vscode", what: [], aside: "/data/aside/.vscode", id: "0".repeat(32) },
      { kind: "switched-off", path: "sub/.git/config", what: ["alias.st"] },
    ]
    const view = toolView(completed("bash", { command: "x" }, { ...ran, exit: 1, leftBehind: left, closed: [".env"] }))
    expect(view.facts).toEqual([
      "no leave to read: .env",
      "moved aside: .vscode",
      "switched off: sub/.git/config (alias.st)",
    ])
    const file = { id: "0".repeat(32), path: ".vscode", words: "moved aside", aside: "/data/aside/.vscode" }
    expect(view.body).toMatchObject({ kind: "terminal", left: [file] })
    expect(toolView(completed("bash", { command: "x" }, { ...ran, exit: 2 })).alarm).toBe("exit 2")
    expect(toolView(completed("bash", { command: "x" }, { ...ran, exit: null, signal: "SIGKILL" })).alarm).toBe(
      "SIGKILL",
    )
  })

  it.each([null, "text", 3, [], { todos: 4, files: "x", summary: {} }])(
    "accepts metadata and input of the shape %j",
    (odd) => {
      for (const tool of [
        "read",
        "list",
        "glob",
        "grep",
        "edit",
        "write",
        "bash",
        "todowrite",
        "task",
        "async_task",
        "async_task_gather",
        "task_message",
        "unknown",
      ]) {
        const metadata = typeof odd === "object" && odd !== null && !Array.isArray(odd) ? odd : {}
        expect(toolView(completed(tool, odd, metadata)).tool).toBe(tool)
        expect(toolView(part(tool, { status: "pending", input: odd, raw: "{" })).status).toBe("queued")
      }
    },
  )
})

describe("readTask", () => {
  const mirrored: MetadataOf<"task"> = {
    sessionId: "ses_2",
    agent: "explore",
    model: { providerID: "test", modelID: "test" },
    description: "Look around",
    summary: [
      { id: "1", tool: "grep", status: "completed", title: "foo" },
      { id: "2", tool: "read", status: "running", title: "a.ts" },
      { id: "3", tool: "list", status: "completed", title: "." },
    ],
    toolCount: 3,
    tokens: 120,
    cost: 0.01,
    state: "running",
    startedAt: 900,
    elapsed: 5,
  }

  it("reads the mirrored progress of a child", () => {
    const state = { status: "running" as const, input: {}, metadata: mirrored, time: { start: 1_000 } }
    const task = readTask(part("task", state))
    expect(task).toMatchObject({ sessionID: "ses_2", state: "running", startedAt: 900, current: { tool: "read" } })
  })

  it("the end of a call outranks an older mirror", () => {
    expect(readTask(completed("task", {}, mirrored)).state).toBe("completed")
    const failed = part("task", { status: "error", input: {}, error: "x", metadata: mirrored, time })
    expect(readTask(failed).state).toBe("failed")
  })

  it("the reason of a failed call omits text for the model", () => {
    const error =
      "The subagent failed: The answer has no `paths`.\n\n<partial_result>\n{}\n</partial_result>\n\n<task_metadata>\nsession_id: ses_2\n</task_metadata>"
    const metadata: MetadataOf<"task"> = { ...mirrored, state: "failed", failure: "The answer has no `paths`." }
    const failed = part("task", { status: "error", input: {}, error, metadata, time })
    expect(readTask(failed).error).toBe("The answer has no `paths`.")
    expect(toolView(failed).error).toBe("The answer has no `paths`.")
    const plain = part("task", { status: "error", input: {}, error: "No such agent.", metadata: {}, time })
    expect(readTask(plain).error).toBe("No such agent.")
  })

  it("the result omits the block for models", () => {
    const output = "All good.\n\n<task_metadata>\nsession: ses_2\n</task_metadata>"
    expect(readTask(completed("task", {}, { ...mirrored, answerLength: 9 }, output)).result).toBe("All good.")
    expect(readTask(completed("task", {}, mirrored, output)).result).toBe("All good.")
  })
})

describe("background tasks", () => {
  const metadata = { taskId: "tsk_1", number: 3, sessionId: "ses_2", agent: "explore", description: "Look" }

  it("a launched task goes on after its call has ended", () => {
    const launched = completed("async_task", {}, { ...metadata, state: "running" }, "task_id: ses_2")
    expect(readTask(launched)).toMatchObject({ state: "running", sessionID: "ses_2", result: null })
  })

  it("a call that speaks of tasks names them and their states", () => {
    const gather = toolView(
      completed("async_task_gather", {}, { tasks: [{ ...metadata, state: "timed_out" }] }, "gathered: 1 of 2"),
    )
    expect(gather.body).toMatchObject({ kind: "tasks", tasks: [{ number: 3, state: "timed_out" }] })
    const cancelled = completed(
      "async_task_cancel",
      {},
      { tasks: [{ ...metadata, state: "cancelled" }] },
      "status: error",
    )
    expect(toolView(cancelled).facts).toEqual(["cancelled"])
    const message = toolView(
      completed("task_message", { message: "Look in test/ too" }, { tasks: [{ ...metadata, state: "running" }] }, "ok"),
    )
    expect(message.body).toMatchObject({ kind: "tasks", text: "Look in test/ too" })
  })
})
