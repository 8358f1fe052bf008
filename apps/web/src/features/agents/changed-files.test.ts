import type { MessageWithParts, Part, ToolState } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { changedFiles } from "./changed-files.ts"

function message(sessionID: string, ...parts: Part[]): MessageWithParts {
  // Only the fields that are read.
  return { info: { id: "msg_1", sessionID, agent: "build" } as never, parts }
}

function edit(id: string, file: string, additions: number, status: "completed" | "error" = "completed"): Part {
  const metadata = { file, diff: "", additions, deletions: 1 }
  const shared = { input: {}, metadata, time: { start: 1, end: 2 } }
  const state: ToolState =
    status === "error" ? { status, error: "no", ...shared } : { status, output: "", title: "", ...shared }
  return { id, sessionID: "ses_1", messageID: "msg_1", type: "tool", callID: id, tool: "edit", state }
}

describe("changedFiles", () => {
  it("sums the changes of a file over all sessions of the tree, and leaves failed calls out", () => {
    const files = changedFiles({
      ses_1: {
        messages: [message("ses_1", edit("prt_2", "b.ts", 2), edit("prt_4", "a.ts", 9, "error"))],
        before: null,
        after: null,
      },
      ses_2: { messages: [message("ses_2", edit("prt_1", "b.ts", 3))], before: null, after: null },
    })
    expect(files).toMatchObject([
      { path: "b.ts", additions: 5, deletions: 2, changes: [{ partID: "prt_1" }, { partID: "prt_2" }] },
    ])
  })
})
