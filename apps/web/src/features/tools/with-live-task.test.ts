import type { TaskSummary } from "@docket/core/schema"
import { expect, test } from "vitest"
import type { TaskView } from "./read-task.ts"
import { withLiveTask } from "./with-live-task.ts"

const step = { id: "prt_1", tool: "read", status: "completed", title: "a.ts" }
// Only the fields that are rendered.
const view = { steps: [step], current: step, result: null, error: null, toolCount: 1 } as unknown as TaskView
const record = (mode: TaskSummary["mode"], state: TaskSummary["state"] = "completed") =>
  ({
    mode,
    state,
    calls: ["completed", "error"],
    usage: { tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }, cost: 0, toolCalls: 7 },
    time: { created: 1, started: 1, ended: null },
    result: null,
    error: null,
  }) as unknown as TaskSummary

test("a background task takes its steps from the record, unknown results included", () => {
  const shown = withLiveTask(view, record("background"))
  expect(shown.steps.map(({ status }) => status)).toEqual(["completed", "error"])
  expect(shown.current).toBeNull()
  const running = withLiveTask(view, record("background", "running")).steps
  expect(running.map(({ status }) => status)).toEqual([...Array(5).fill("unknown"), "completed", "error"])
})

test("a blocking task keeps the call's steps and takes the record's count", () => {
  expect(withLiveTask(view, record("blocking"))).toMatchObject({ steps: [step], current: step, toolCount: 7 })
})
