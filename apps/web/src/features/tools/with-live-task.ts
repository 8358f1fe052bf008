import type { TaskSummary } from "@docket/core/schema"
import { totalTokens } from "@docket/core/usage"
import type { TaskStep, TaskView } from "./read-task.ts"

/** What the call knows of its child, with the state and sums of the record, which goes on when the call has ended. */
export function withLiveTask(view: TaskView, task: TaskSummary | null): TaskView {
  if (task === null) return view
  const { started, ended } = task.time
  return {
    ...view,
    sessionID: task.sessionID,
    agent: task.agent,
    description: task.description,
    state: task.state,
    startedAt: started,
    elapsed: ended === null ? null : ended - (started ?? ended),
    tokens: totalTokens(task.usage.tokens),
    cost: task.usage.cost,
    toolCount: Math.max(view.toolCount, task.usage.toolCalls),
    result: task.result ?? view.result,
    error: view.error ?? task.error?.message ?? null,
    ...(task.mode === "background" && { steps: recordSteps(task), current: null }),
  }
}

/** The calls of a task in the background, of which its call knows nothing, or only the first. */
function recordSteps({ calls = [], usage }: TaskSummary): TaskStep[] {
  const before = usage.toolCalls - calls.length
  return calls.map((status, index) => ({ id: String(before + index), tool: "", status, title: null }))
}
