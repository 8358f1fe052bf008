import type { TaskSummary } from "@docket/core/schema"
import { createElement, type ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { TaskRow as InboxRow } from "../../app/(app)/(desk)/task-row.tsx"
import type { ReviewRow } from "../review-desk/task/review-rows.ts"
import { TaskHead } from "../review-desk/task/task-head.tsx"
import { laneLabels } from "../tools/lane-labels.ts"
import { TaskTime } from "../tools/lane-line.tsx"
import type { TaskView } from "../tools/read-task.ts"
import { TaskLines } from "../tools/task-lines.tsx"
import { withLiveTask } from "../tools/with-live-task.ts"

const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
// Only the fields that are shown: queued 4 s, at work 132 s, of which it waited 116 s for an answer.
const task = {
  id: "tsk_1",
  number: 1,
  rootID: "ses_root",
  sessionID: "ses_1",
  agent: "explore",
  description: "Look",
  model: { providerID: "test", modelID: "test" },
  state: "completed",
  mode: "blocking",
  usage: { tokens, cost: 0, toolCalls: 0 },
  limits: { tokens: null, cost: null, wallClock: null, toolCalls: null },
  time: { created: 1_000, started: 5_000, ended: 137_000 },
  waited: { ms: 116_000, since: null },
  result: null,
  error: null,
} as unknown as TaskSummary
const view = { steps: [], current: null, toolCount: 0, result: null, error: null } as unknown as TaskView
const live = withLiveTask(view, task)
// Only the fields that the row's header reads.
const row = { status: null, agent: "explore", title: "Look", attempts: [task], task } as unknown as ReviewRow

const words = (shown: ReactNode) => renderToStaticMarkup(shown).replaceAll(/<[^>]+>/g, "")

test.each<[string, () => string]>([
  ["inbox", () => words(createElement(InboxRow, { item: { task, title: "Shop" } }))],
  ["card", () => words(createElement(TaskLines, { task: live }))],
  ["lane", () => words(createElement(TaskTime, { task: live }))],
  ["lane in words", () => laneLabels(live.times, [], 900_000).join()],
  ["desk", () => words(createElement(TaskHead, { row, task, brief: null, go: () => {} }))],
])("the %s shows what a task worked and waited", (_, shown) => {
  expect(shown()).toContain("worked 16 s, waited 2 m 00 s")
})
