import type { MessageWithParts, Part, ToolPart } from "../schema/index.ts"
import { partEnd, partStart } from "./timeline.ts"
import { addUsage, noUsage } from "./token-usage.ts"

/**
 * A message as it stood at a time (epoch ms); null when it was not there. One that was whole by then is the same object.
 * A text that was being written is empty: what of it was there, nobody knows.
 */
export function messageAt(message: MessageWithParts, at: number): MessageWithParts | null {
  const { info } = message
  const { created } = info.time
  if (created > at) return null
  const parts = message.parts.flatMap((part) => partAt(part, { at, created }) ?? [])
  const isWhole = parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index])
  if (info.role === "user") return isWhole ? message : { info, parts }
  const { completed } = info.time
  if (isWhole && (completed === null || completed <= at)) return message
  const used = parts.reduce((sum, part) => (part.type === "step-finish" ? addUsage(sum, part) : sum), noUsage)
  const open = completed !== null && completed > at
  const state = open ? { finish: null, error: null, time: { created, completed: null } } : {}
  return { info: { ...info, ...used, ...state }, parts }
}

function partAt(part: Part, { at, created }: { at: number; created: number }): Part | null {
  if (partStart(part, created) > at) return null
  const end = partEnd(part)
  if (end === null || end <= at) return part
  switch (part.type) {
    case "text":
    case "reasoning": {
      const { providerMetadata: _, ...rest } = part
      return { ...rest, text: "", time: { start: part.time?.start ?? created, end: null } }
    }
    case "tool":
      return runningCall(part)
    default:
      return part
  }
}

/** Of what a call keeps while it runs only the names of what it made are no news of later. */
function runningCall(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status === "pending" || state.status === "running") return part
  const { providerMetadata: _, ...rest } = part
  const { sessionId, agent, description } = state.metadata
  const metadata = { ...(sessionId !== undefined && { sessionId, agent, description }) }
  return { ...rest, state: { status: "running", input: state.input, metadata, time: { start: state.time.start } } }
}
