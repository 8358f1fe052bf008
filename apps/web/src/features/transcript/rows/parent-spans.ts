import { agentPhases, agentSpans, endOfCall, phasesOf } from "@docket/core/agent-phases"
import type { MessageWithParts, ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"
import type { LaneSpan } from "../../tools/lay-out-lanes.ts"

/**
 * What an agent did from the delegating answer (the first of `messages`) to the next prompt of a user, or to the end of
 * `tasks` if that is known. `live`: the last message may still grow.
 */
export function parentSpans(
  messages: readonly MessageWithParts[],
  tasks: readonly ToolPart[],
  live: boolean,
): LaneSpan[] {
  const end = endOf(tasks)
  const endIndex = messages.findIndex((message) => message.info.time.created > end || isUsersPrompt(message))
  const next = messages[endIndex]?.info.time.created
  return next === undefined ? agentPhases(messages, live) : phasesOf(agentSpans(messages.slice(0, endIndex), next))
}

/** When the last of the tasks ended; infinite while one runs, and for tasks that outlive their call. */
function endOf(tasks: readonly ToolPart[]): number {
  return Math.max(...tasks.map((part) => (goesOn(part) ? Number.POSITIVE_INFINITY : endOfCall(part))))
}

function goesOn(part: ToolPart): boolean {
  const call = readToolCall(part)
  return call.tool !== "task" || call.metadata?.background === true
}

function isUsersPrompt(message: MessageWithParts): boolean {
  return message.info.role === "user" && message.parts.some((part) => part.type !== "text" || part.synthetic !== true)
}
