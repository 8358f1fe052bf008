import type { TaskState, TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import { newestTask } from "./newest-task.ts"
import { speechOf } from "./speech.ts"

const speech = (state: TaskState, tree: "ready" | "merged" | null = null) =>
  // Only the field that is read.
  speechOf({ state, worktree: tree && ({ state: tree } as TaskSummary["worktree"]) })

it("a child takes messages until its task has ended, and goes on with them afterwards", () => {
  expect(speech("queued")).toEqual({ how: "message" })
  expect(speech("running")).toEqual({ how: "message" })
  for (const state of ["completed", "failed", "cancelled", "timed_out", "interrupted"] as const)
    expect(speech(state)).toEqual({ how: "resume" })
  expect(speech("completed", "ready")).toEqual({ how: "resume" })
})

it("a child whose worktree is gone says why it cannot go on", () => {
  expect(speech("completed", "merged")).toEqual({
    how: null,
    why: expect.stringContaining("worktree is gone (merged)"),
  })
})

it("a child that was gone on with is spoken to by its newest task", () => {
  // Only the fields that are read.
  const task = (number: number, sessionID: string) => ({ number, sessionID }) as TaskSummary
  const tasks = { b: task(4, "ses_1"), a: task(2, "ses_1"), c: task(5, "ses_2") }
  expect(newestTask(tasks, "ses_1")).toBe(tasks.b)
  expect(newestTask(tasks, "ses_3")).toBe(null)
})
