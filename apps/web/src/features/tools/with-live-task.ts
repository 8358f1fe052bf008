import type { TaskSummary } from "@docket/core/schema"
import { taskTimes } from "@docket/core/task-times"
import { totalTokens } from "@docket/core/usage"
import type { TaskStep, TaskView } from "./read-task.ts"

/** What the call knows of its child, with the state and sums of the record, which goes on when the call has ended. */
export function withLiveTask(view: TaskView, task: TaskSummary | null): TaskView {
  if (task === null) return view
  return {
    ...view,
    sessionID: task.sessionID,
    agent: task.agent,
    description: task.description,
    state: task.state,
    startedAt: task.time.started,
    times: taskTimes(task),
    tokens: totalTokens(task.usage.tokens),
    cost: task.usage.cost,
    toolCount: Math.max(view.toolCount, task.usage.toolCalls),
    result: task.result ?? view.result,
    error: view.error ?? task.error?.message ?? null,
    ...(task.mode === "background" && { steps: recordSteps(task), current: null }),
  }
}

/**
 * The calls of a task in the background, of which its call knows nothing, or only the first. While it runs they are as
 * many as were counted: how those of the step under way went is not known yet.
 */
function recordSteps({ calls = [], usage, state }: TaskSummary): TaskStep[] {
  const unknown = state === "running" ? Math.max(0, usage.toolCalls - calls.length) : 0
  const statuses = [...Array.from({ length: Math.min(unknown, mostUnknown) }, () => "unknown"), ...calls]
  return statuses.map((status, index) => ({ id: String(index), tool: "", status, title: null }))
}

/** As many as a card draws. */
const mostUnknown = 24
