import type { ToolPart, ToolState } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { toolCallOf } from "./tool-call.ts"

const place = { root: "/p", drawsTerminals: false }
const time = { start: 1, end: 2 }

function part(tool: string, state: Partial<ToolState>): ToolPart {
  const full = { status: "completed", input: {}, output: "", title: "", metadata: {}, time, ...state } as ToolState
  return { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "tool", callID: "call_1", tool, state: full }
}

const text = (said: string) => [{ type: "content", content: { type: "text", text: said } }]
const change = { file: "a.ts", diff: "@@ -3 +3 @@\n-a\n+b\n", additions: 1, deletions: 1, created: false }
const changed = { ...change, diffOmitted: false, truncated: false }
const read = { kind: "file", file: "a.ts", startLine: 4, endLine: 5, totalLines: 9, truncated: false }
const bash = { command: "ls -a", description: "Look", output: "a\n", exit: 0 }

describe("a call", () => {
  it.each([
    ["read", { metadata: read, title: "a.ts", output: "4: x" }, "read", "read a.ts", [{ path: "/p/a.ts", line: 4 }]],
    ["read", { metadata: { ...read, kind: "directory", startLine: 0 } }, "read", "read", [{ path: "/p/a.ts" }]],
    ["edit", { metadata: changed, title: "a.ts" }, "edit", "edit a.ts", [{ path: "/p/a.ts", line: 3 }]],
    [
      "apply_patch",
      { metadata: { changes: [changed, { ...changed, file: "b.ts" }], truncated: false } },
      "edit",
      "apply_patch",
      [
        { path: "/p/a.ts", line: 3 },
        { path: "/p/b.ts", line: 3 },
      ],
    ],
    ["bash", { metadata: bash, input: { command: "ls -a" }, title: "Look" }, "execute", "ls -a", []],
    [
      "grep",
      { metadata: { matches: 1, files: [{ file: "a.ts", lines: [{ line: 7, text: "x" }] }], truncated: false } },
      "search",
      "grep",
      [{ path: "/p/a.ts", line: 7 }],
    ],
    ["list", { metadata: { directory: "src", count: 1, truncated: false } }, "read", "list", [{ path: "/p/src" }]],
    ["webfetch", { title: "https://a.example" }, "fetch", "webfetch https://a.example", []],
    ["task", { title: "Look around" }, "think", "task Look around", []],
    ["plan_exit", {}, "switch_mode", "plan_exit", []],
    ["their_tool", { title: "x\u202ey" }, "other", "their_tool x\\u{202e}y", []],
  ] as const)("of %s with %o is of the kind %s", (tool, state, kind, title, locations) => {
    expect(toolCallOf(part(tool, state as Partial<ToolState>), place)).toMatchObject({ kind, title, locations })
  })

  it.each([
    ["pending", {}, "pending"],
    ["running", {}, "in_progress"],
    ["completed", {}, "completed"],
    ["completed", { ...bash, exit: 1 }, "failed"],
    ["error", {}, "failed"],
  ] as const)("that is %s with %o is %s", (status, metadata, expected) => {
    const state = { status, metadata, raw: "", error: "No" } as Partial<ToolState>
    expect(toolCallOf(part("bash", state), place).status).toBe(expected)
  })

  it.each([
    ["bash", { metadata: bash, output: "for the model" }, text("```\na\n```")],
    ["bash", { metadata: { ...bash, output: "```" } }, text("````\n```\n````")],
    [
      "bash",
      { status: "error", error: "It was stopped.", metadata: bash },
      [...text("```\na\n```"), ...text("It was stopped.")],
    ],
    ["edit", { metadata: changed }, [{ type: "diff", path: "/p/a.ts", oldText: "a\n", newText: "b\n" }]],
    ["edit", { status: "error", error: "No such text." }, text("No such text.")],
    ["todowrite", { output: "[]" }, []],
    ["grep", { output: "a.ts:7: x" }, text("```\na.ts:7: x\n```")],
    ["read", { status: "running", metadata: {} }, []],
  ] as const)("of %s with %o holds %o", (tool, state, content) => {
    expect(toolCallOf(part(tool, state as unknown as Partial<ToolState>), place).content).toEqual(content)
  })

  it("of a task holds the child's answer alone", () => {
    const metadata = {
      ...{ sessionId: "ses_2", agent: "general", model: { providerID: "a", modelID: "b" }, description: "Look" },
      ...{
        state: "completed",
        summary: [],
        toolCount: 0,
        startedAt: 1,
        elapsed: 1,
        tokens: 1,
        cost: 0,
        answerLength: 4,
      },
    }
    const call = toolCallOf(part("task", { output: "Done. task_id: 1", metadata } as Partial<ToolState>), place)
    expect(call.content).toEqual(text("Done"))
  })

  it("names the file of its arguments before it has begun", () => {
    const state = { status: "running", input: { filePath: "src/b.ts" }, metadata: {} } as Partial<ToolState>
    expect(toolCallOf(part("edit", state), place).locations).toEqual([{ path: "/p/src/b.ts" }])
  })

  it("draws a terminal where the editor can", () => {
    const call = toolCallOf(part("bash", { metadata: bash } as Partial<ToolState>), { ...place, drawsTerminals: true })
    expect(call.content).toEqual([{ type: "terminal", terminalId: "prt_1" }])
  })
})
