import { askedText } from "@docket/core/rule"
import type { PermissionRequest, Task } from "@docket/core/schema"
import { deskLink, type McpAnswer, type McpCall } from "./mcp-call.ts"

/** The most characters of a result in one answer. The desk has all of it. */
const mostText = 40_000

/** Whether nothing happens in the task any more until a person acts. */
export function isSettled({ state, time }: Pick<Task, "state" | "time">): boolean {
  return time.ended !== null || state === "awaiting_review"
}

/** What a client gets to know of a task. */
export function taskAnswer(
  call: Pick<McpCall, "origin">,
  task: Task,
  waiting: readonly PermissionRequest[],
): McpAnswer {
  const link = deskLink(call, task)
  const { id, number, agent, description, state, sessionID, error, output } = task
  const result = task.result === null ? null : cut(task.result)
  const asks = waiting.map((request) => askedText(request))
  const lines = [
    `Task ${id} (#${number}, ${agent}: ${description}) is ${said[state]}.`,
    `Review it: ${link}`,
    ...asks.map((words) => `It waits for an answer: ${words}. A person answers at the link.`),
    ...(error === null ? [] : [`${error.type}: ${error.message}`]),
    ...(result === null ? [] : ["", "<task_result>", result, "</task_result>"]),
  ]
  const shown = { task: id, number, agent, description, state, session: sessionID, link, result, waits_for: asks }
  const more = { ...(error !== null && { error: error.message }), ...(output !== null && { output }) }
  return { text: lines.join("\n"), data: { ...shown, ...more } }
}

const said: Record<Task["state"], string> = {
  queued: "waiting for its turn",
  running: "running. Call task_result with it to wait for its end",
  awaiting_review: "done, and waits for a person's verdict",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  timed_out: "ended by its limits",
  interrupted: "interrupted",
}

function cut(text: string): string {
  if (text.length <= mostText) return text
  return `${text.slice(0, mostText)}\n[${text.length - mostText} characters more: see the desk]`
}
