import type { StepChange } from "@docket/core"
import { describe, expect, it } from "vitest"
import { filesOf, groupFiles, sumLines } from "./changed-files.ts"

function change(path: string, more: Partial<StepChange> = {}): StepChange {
  const step = { sessionID: "ses_1", messageID: "msg_1", partID: "prt_1", agent: "build" }
  const lines = { added: 2, removed: 1 }
  return { path, kind: "changed", lines, lack: null, ...step, promptID: "msg_p", taskID: null, ...more }
}

describe("filesOf", () => {
  it("sums a file's lines over all steps and explains missing ones", () => {
    const files = filesOf([
      change("b.ts", { kind: "added" }),
      change("b.ts"),
      change("b.ts", { lines: null, lack: "expired" }),
      change("a.png", { lines: null, lack: "binary" }),
    ])
    expect(files).toMatchObject([
      { path: "a.png", lines: null, lack: "binary" },
      { path: "b.ts", kind: "added", lines: { added: 4, removed: 2 }, lack: "expired" },
    ])
    expect(sumLines(files)).toEqual({ added: 4, removed: 2 })
  })

  it("shows whether a file was added, changed or deleted in the end", () => {
    const kind = (...kinds: StepChange["kind"][]) => filesOf(kinds.map((kind) => change("a", { kind })))[0]?.kind
    expect([kind("added", "changed"), kind("changed", "deleted"), kind("changed"), kind("added", "deleted")]).toEqual([
      "added",
      "deleted",
      "changed",
      "deleted",
    ])
  })
})

describe("groupFiles", () => {
  const changes = [
    change("a.ts"),
    change("b.ts", { promptID: "msg_q", taskID: "tsk_1" }),
    change("a.ts", { promptID: "msg_q" }),
    change("c.ts", { promptID: null, taskID: "tsk_gone" }),
  ]
  const prompts = [
    { id: "msg_p", text: "Make\na.ts" },
    { id: "msg_q", text: "" },
  ]
  const tasks = [{ id: "tsk_1", number: 1, agent: "general", description: "Write b" }]
  const shown = (grouping: "all" | "turn" | "task") =>
    groupFiles({ changes, prompts }, tasks, grouping).map(({ title, files }) => [title, files.map(({ path }) => path)])

  it("puts all files together", () => {
    expect(shown("all")).toEqual([[null, ["a.ts", "b.ts", "c.ts"]]])
    expect(groupFiles({ changes: [], prompts }, tasks, "all")).toEqual([])
  })

  it("groups files by prompt, also where the prompt is empty or unknown", () => {
    expect(shown("turn")).toEqual([
      ["Make a.ts", ["a.ts"]],
      ["Without a prompt", ["a.ts", "b.ts"]],
      ["Without a prompt", ["c.ts"]],
    ])
  })

  it("groups files by task, apart from the session's own work", () => {
    expect(shown("task")).toEqual([
      ["This session itself", ["a.ts"]],
      ["#1 Write b · general", ["b.ts"]],
      ["A task that is gone", ["c.ts"]],
    ])
  })
})
