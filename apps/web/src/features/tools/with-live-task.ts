import { programOfModel } from "@docket/core/program-of-model"
import type { TaskSummary } from "@docket/core/schema"
import { taskTimes } from "@docket/core/task-times"
import { totalTokens } from "@docket/core/usage"
import type { TaskStep, TaskView } from "./read-task.ts"

/**
 * Adds the state and totals of the task record to the data of the call. The record is updated even after the call
 * ended.
 */
export function withLiveTask(view: TaskView, task: TaskSummary | null): TaskView {
  if (task === null) return view
  return {
    ...view,
    sessionID: task.sessionID,
    agent: task.agent,
    program: programOfModel(task.model),
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
 * Steps of a background task, whose call knows none of its steps, or only the first. A running step's calls are
 * counted, but their results are not known yet.
 */
function recordSteps({ calls = [], usage, state }: TaskSummary): TaskStep[] {
  const unknown = state === "running" ? Math.max(0, usage.toolCalls - calls.length) : 0
  const statuses = [...Array.from({ length: Math.min(unknown, mostUnknown) }, () => "unknown"), ...calls]
  return statuses.map((status, index) => ({ id: String(index), tool: "", status, title: null }))
}

/** Maximum number of ticks on a card. */
const mostUnknown = 24
