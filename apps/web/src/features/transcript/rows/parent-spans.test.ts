import type { MessageWithParts, Part, ToolPart, ToolState } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { parentSpans } from "./parent-spans.ts"

let parts = 0
function call(tool: string, start: number, end: number | null, status: "completed" | "error" = "completed"): ToolPart {
  const time = end === null ? { start } : { start, end }
  // Only the fields that the code reads.
  const state = { status: end === null ? "running" : status, input: {}, metadata: {}, time } as unknown as ToolState
  parts += 1
  return {
    id: `prt_${parts}`,
    sessionID: "ses_1",
    messageID: "msg_1",
    type: "tool",
    callID: `call_${parts}`,
    tool,
    state,
  }
}

function answer(created: number, completed: number | null, ...found: Part[]): MessageWithParts {
  // Only the fields that the code reads.
  return { info: { role: "assistant", time: { created, completed } } as MessageWithParts["info"], parts: found }
}

function prompt(created: number, synthetic: boolean): MessageWithParts {
  const text: Part = { id: "prt_p", sessionID: "ses_1", messageID: "msg_p", type: "text", text: "Go", synthetic }
  // Only the fields that the code reads.
  return { info: { role: "user", time: { created } } as MessageWithParts["info"], parts: [text] }
}

describe("parentSpans", () => {
  it("shows work until it only waits, and while its own call runs", () => {
    const tasks = [call("task", 10, 100), call("task", 12, 80)]
    const messages = [answer(0, 110, ...tasks, call("bash", 20, 30, "error"))]
    expect(parentSpans(messages, tasks, false)).toEqual([
      { kind: "work", from: 0, until: 10 },
      { kind: "rest", from: 10, until: 20 },
      { kind: "work", from: 20, until: 30 },
      { kind: "rest", from: 30, until: 100 },
      { kind: "work", from: 100, until: 110 },
      { kind: "error", from: 30, until: 30 },
    ])
  })

  it("shows rest while gathering tasks; ends at a person's next prompt", () => {
    const tasks = [call("async_task", 1, 2), call("async_task", 1, 2)]
    const told = [
      answer(0, 5, ...tasks),
      answer(5, 60, call("async_task_gather", 8, 50)),
      prompt(70, true),
      answer(70, 80),
    ]
    expect(parentSpans([...told, prompt(90, false), answer(90, 100)], tasks, false)).toEqual([
      { kind: "work", from: 0, until: 8 },
      { kind: "rest", from: 8, until: 50 },
      { kind: "work", from: 50, until: 60 },
      { kind: "work", from: 70, until: 80 },
    ])
  })

  it("lasts while the session works, but not after it broke off", () => {
    const tasks = [call("task", 10, null), call("task", 10, null)]
    const messages = [answer(0, null, ...tasks)]
    expect(parentSpans(messages, tasks, true)).toEqual([
      { kind: "work", from: 0, until: 10 },
      { kind: "rest", from: 10, until: null },
    ])
    expect(parentSpans(messages, tasks, false)).toEqual([])
  })

  it("looks no further than the end of its tasks", () => {
    const tasks = [call("task", 10, 20), call("task", 10, 30)]
    expect(parentSpans([answer(0, 40, ...tasks), answer(50, 60)], tasks, false)).toHaveLength(3)
  })
})
