import type { Session, TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import { visibleTasks } from "./visible-tasks.ts"

it("tasks whose sessions are undone are left out, even all", () => {
  // Only the fields that are read.
  const task = (id: string) => ({ id, sessionID: `ses_${id}` }) as TaskSummary
  const session = (archived: number | null) => ({ parentID: "ses_root", time: { archived } }) as Session
  const tasks = { a: task("a"), b: task("b") }
  expect(visibleTasks({ tasks, sessions: { ses_a: session(null), ses_b: session(5) } })).toEqual([tasks.a])
  expect(visibleTasks({ tasks, sessions: { ses_a: session(5), ses_b: session(5) } })).toEqual([])
})
