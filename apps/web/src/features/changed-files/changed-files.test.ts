import type { MessageWithParts, Part, Session, ToolState } from "@docket/core/schema"
import type { MetadataOf } from "@docket/core/tool-metadata"
import { describe, expect, it } from "vitest"
import { changedFiles } from "./changed-files.ts"

function message(sessionID: string, ...parts: Part[]): MessageWithParts {
  // Only the fields that are read.
  return { info: { id: "msg_1", sessionID, agent: "build" } as never, parts }
}

function edit(id: string, file: string, additions: number, status: "completed" | "error" = "completed"): Part {
  const kept = { created: false, diffOmitted: true, truncated: false }
  const metadata: MetadataOf<"edit"> = { file, diff: "", additions, deletions: 1, ...kept }
  const shared = { input: {}, metadata, time: { start: 1, end: 2 } }
  const state: ToolState =
    status === "error" ? { status, error: "no", ...shared } : { status, output: "", title: "", ...shared }
  return { id, sessionID: "ses_1", messageID: "msg_1", type: "tool", callID: id, tool: "edit", state }
}

const window = (...messages: MessageWithParts[]) => ({ messages, before: null, after: null })

describe("changedFiles", () => {
  it("sums the changes of a file over all sessions of the tree, and leaves failed calls out", () => {
    const files = changedFiles({
      sessions: {},
      transcripts: {
        ses_1: window(message("ses_1", edit("prt_2", "b.ts", 2), edit("prt_4", "a.ts", 9, "error"))),
        ses_2: window(message("ses_2", edit("prt_1", "b.ts", 3))),
      },
    })
    expect(files).toMatchObject([
      { path: "b.ts", additions: 5, deletions: 2, changes: [{ partID: "prt_1" }, { partID: "prt_2" }] },
    ])
  })

  it("leaves out what is undone, with the sessions that go with it", () => {
    const undoneFrom = { ...message("ses_1", edit("prt_2", "b.ts", 2)), info: { id: "msg_2", agent: "build" } as never }
    // Only what an undo sets.
    const root = { parentID: null, revert: { messageID: "msg_2" }, time: { archived: null } } as unknown as Session
    const child = { parentID: "ses_1", time: { archived: 5 } } as Session
    const files = changedFiles({
      sessions: { ses_1: root, ses_2: child },
      transcripts: {
        ses_1: window(message("ses_1", edit("prt_1", "a.ts", 1)), undoneFrom),
        ses_2: window(message("ses_2", edit("prt_3", "c.ts", 3))),
      },
    })
    expect(files.map(({ path }) => path)).toEqual(["a.ts"])
  })
})
