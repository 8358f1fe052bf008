import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { EndedTask, PromptPart, Task } from "../../ground/schema/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import { endedNoticeText } from "../../setup/agent/ended-notice.ts"

/** What `async_task` answers at once. */
export function launchedAnswer(task: Task): string {
  return [
    `task_id: ${task.sessionID}`,
    `agent: ${task.agent}`,
    `description: ${task.description}`,
    "status: launched",
    "",
    "Use async_task_result with this task_id to retrieve the result when ready.",
  ].join("\n")
}

/** What `async_task_result` answers for a task. */
export function resultAnswer(task: Task): string {
  const { sessionID } = task
  switch (task.state) {
    case "queued":
    case "running":
      return `status: running\ntask_id: ${sessionID}\n\nThe task is still in progress. Try again shortly.`
    case "awaiting_review":
      return `status: awaiting_review\ntask_id: ${sessionID}\n\nThe work is done and waits for a person's approval. Go on with other work: you are told when it has it.`
    case "completed":
      return `status: complete\ntask_id: ${sessionID}\n\n<task_result>\n${quoteFrames(task.result ?? "")}\n</task_result>`
    case "failed":
    case "cancelled":
    case "timed_out":
    case "interrupted": {
      const type = task.error?.type ?? task.state
      const message = task.error?.message ?? endWords[task.state]
      return `status: error\ntask_id: ${sessionID}\nerror_type: ${type}\n\n${message}${partialResult(task)}`
    }
  }
}

export function notFoundAnswer(ref: string): string {
  return `status: error\ntask_id: ${ref}\n\nSession not found. The task_id may be invalid or the session was deleted.`
}

type FailedState = keyof typeof endWords

/** The end of a task that did not complete. */
function failedState({ state }: Task): FailedState {
  return state in endWords ? (state as FailedState) : "failed"
}

const endWords = {
  failed: "The task failed.",
  cancelled: "The task was cancelled.",
  timed_out: "The task ran out of time.",
  interrupted: "Docket was stopped while the task ran.",
} as const

/** The synthetic prompt that tells a parent of background tasks that ended. */
export function endedNotice(tasks: Task[]): Extract<PromptPart, { type: "text" }> {
  const blocks = tasks.map(
    (task) => `Task #${task.number} "${task.description}" (@${task.agent}):\n${resultAnswer(task)}`,
  )
  return {
    type: "text",
    text: `<system-reminder>\n${tasks.length === 1 ? "A background task has" : "Background tasks have"} ${endedNoticeText}\n\n${blocks.join("\n\n")}\n</system-reminder>`,
    synthetic: true,
    notice: { kind: "tasks-ended", tasks: tasks.map(endedTask) },
  }
}

function endedTask(task: Task): EndedTask {
  const { number, sessionID, agent, description, state } = task
  return { number, sessionID, agent, description, state, text: task.result ?? failureReason(task) ?? "" }
}

/** Why a task ended without completing, for people and models; null for one that has not. */
export function failureReason(task: Task): string | null {
  if (!isEnded(task) || task.state === "completed") return null
  return task.error?.message ?? endWords[failedState(task)]
}

/** What a blocking `task` call throws when its child did not complete. */
export function failureAnswer(task: Task): string {
  const verb = task.state === "failed" ? "failed" : task.state === "timed_out" ? "ran out of time" : "was stopped"
  return `The subagent ${verb}: ${failureReason(task) ?? endWords.cancelled}${partialResult(task)}\n\n<task_metadata>\nsession_id: ${task.sessionID}\n</task_metadata>`
}

/** What a task that did not complete has found so far, marked as such; nothing when there is none. */
export function partialResult({ result }: Pick<Task, "result">): string {
  return result === null ? "" : `\n\n<partial_result>\n${quoteFrames(result)}\n</partial_result>`
}
