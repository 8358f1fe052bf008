import { describe, expect, it } from "vitest"
import type { ToolState } from "./part.ts"
import { readToolCall } from "./read-tool-call.ts"

const time = { start: 1, end: 2 }
const completed = (metadata: Record<string, unknown>): ToolState => ({
  status: "completed",
  input: {},
  output: "",
  title: "",
  metadata,
  time,
})

describe("readToolCall", () => {
  it("reads a call by its tool, whatever else lies in its metadata", () => {
    const metadata = { directory: ".", count: 2, truncated: false, interrupted: true, tool: "bash" }
    expect(readToolCall({ tool: "list", state: completed(metadata) })).toEqual({
      tool: "list",
      metadata: { tool: "list", directory: ".", count: 2, truncated: false },
    })
  })

  it("returns nothing for calls not started, empty or malformed", () => {
    const pending: ToolState = { status: "pending", input: {}, raw: "{" }
    expect(readToolCall({ tool: "bash", state: pending })).toEqual({ tool: "bash", metadata: null })
    for (const odd of [{}, { command: 3 }, { todos: "x", taskId: [] }]) {
      expect(readToolCall({ tool: "bash", state: completed(odd) }).metadata).toBeNull()
      expect(readToolCall({ tool: "async_task_result", state: completed(odd) }).metadata).toBeNull()
    }
  })

  it("reads a tool that is not Docket's own by its name alone", () => {
    const state = completed({ outputPath: "/data/out.txt", truncated: true, todos: [] })
    expect(readToolCall({ tool: "github_search", state })).toEqual({
      tool: "other",
      name: "github_search",
      metadata: { truncated: true, outputPath: "/data/out.txt" },
    })
    expect(readToolCall({ tool: "constructor", state }).tool).toBe("other")
  })

  it("reads the single task of version 0.1.0 as a list", () => {
    const task = { taskId: "tsk_1", number: 3, sessionId: "ses_2", agent: "explore", description: "Look" }
    const state = completed({ ...task, state: "cancelled" })
    const tasks = [{ ...task, state: "cancelled" }]
    expect(readToolCall({ tool: "async_task_cancel", state }).metadata).toMatchObject({ tasks })
    expect(readToolCall({ tool: "async_task", state }).metadata).toMatchObject({ ...task, state: "cancelled" })
  })

  it("finds a task answer's end in 0.1.0 text, but prefers stored data", () => {
    const model = { providerID: "p", modelID: "m" }
    const task = { sessionId: "ses_2", agent: "explore", model, description: "Look", state: "completed" }
    const metadata = { ...task, summary: [], toolCount: 0, startedAt: 1, elapsed: 1, tokens: 0, cost: 0 }
    const output = "Found it.\n\n<task_metadata>\nsession_id: ses_2\n</task_metadata>"
    const state: ToolState = { status: "completed", input: {}, output, title: "", metadata, time }
    expect(readToolCall({ tool: "task", state }).metadata).toMatchObject({ answerLength: "Found it.".length })
    const told: ToolState = { ...state, metadata: { ...metadata, answerLength: 5 } }
    expect(readToolCall({ tool: "task", state: told }).metadata).toMatchObject({ answerLength: 5 })
  })

  it("finds a task's failure reason in the text of version 0.1.0", () => {
    const task = { sessionId: "ses_2", agent: "explore", model: { providerID: "p", modelID: "m" }, description: "Look" }
    const used = { summary: [], toolCount: 0, startedAt: 1, elapsed: 1, tokens: 0, cost: 0 }
    const error =
      "The subagent ran out of time: It took over 5 s.\n\n<partial_result>\nx\n</partial_result>\n\n<task_metadata>\nsession_id: ses_2\n</task_metadata>"
    const metadata = { ...task, ...used, state: "timed_out" }
    const state: ToolState = { status: "error", input: {}, error, metadata, time }
    expect(readToolCall({ tool: "task", state }).metadata).toMatchObject({ failure: "It took over 5 s." })
    const told: ToolState = { ...state, metadata: { ...metadata, failure: "Too slow." } }
    expect(readToolCall({ tool: "task", state: told }).metadata).toMatchObject({ failure: "Too slow." })
  })
})
