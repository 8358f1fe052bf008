import type { TaskState, TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import { childMessaging } from "./child-messaging.ts"

const messaging = (state: TaskState, tree: "ready" | "merged" | null = null) =>
  // Only the field that is read.
  childMessaging({ state, worktree: tree && ({ state: tree } as TaskSummary["worktree"]) })

it("a child takes messages while its task runs and continues afterwards", () => {
  expect(messaging("queued")).toEqual({ how: "message" })
  expect(messaging("running")).toEqual({ how: "message" })
  for (const state of ["completed", "failed", "cancelled", "timed_out", "interrupted"] as const)
    expect(messaging(state)).toEqual({ how: "resume" })
  expect(messaging("completed", "ready")).toEqual({ how: "resume" })
})

it("a child whose worktree is gone says why it cannot go on", () => {
  expect(messaging("completed", "merged")).toEqual({
    how: null,
    why: expect.stringContaining("worktree is gone (merged)"),
  })
})
