import { idTime } from "../id/id-time.ts"
import type { AssistantMessage, MessageWithParts, Part, TodoChange, TokenUsage, UserMessage } from "../schema/index.ts"
import { callStatus } from "./call-status.ts"

/** Something that happened in a session, at a stored time (epoch ms). */
export type Moment = { at: number; sessionID: string; messageID: string } & (
  | { kind: "prompt" | "note" | "step" | "end" }
  | { kind: "call"; partID: string }
  /** `partID` is null for a step that failed itself. */
  | { kind: "error"; partID: string | null }
  /** The usage of a model call; cost in USD. */
  | { kind: "spent"; cost: number; tokens: TokenUsage }
)

/** Facts about a tree's past that are not in its rows. */
export interface Past {
  /** In the order of time. */
  moments: readonly Moment[]
  /** Every change of the tree's todo lists, in any order. */
  changes: readonly TodoChange[]
}

/** The moments of one message, in order of time. */
export function momentsOf({ info, parts }: MessageWithParts): Moment[] {
  const moments = info.role === "user" ? [userMoment(info, parts)] : assistantMoments(info, parts)
  return moments.sort((a, b) => a.at - b.at)
}

/** The moment of a user message. It is a note when it contains only parts that Docket or a client added. */
function userMoment(info: UserMessage, parts: readonly Part[]): Moment {
  const isNote = parts.length > 0 && parts.every((part) => part.type === "text" && part.synthetic === true)
  return { ...placeOf(info), at: info.time.created, kind: isNote ? "note" : "prompt" }
}

function assistantMoments(info: AssistantMessage, parts: readonly Part[]): Moment[] {
  const place = placeOf(info)
  const { created, completed } = info.time
  const moments: Moment[] = [{ ...place, at: created, kind: "step" }]
  for (const part of parts) {
    if (part.type === "step-finish") {
      const { cost, tokens } = part
      moments.push({ ...place, at: partStart(part, created), kind: "spent", cost, tokens })
    }
    if (part.type !== "tool" || part.state.status === "pending") continue
    moments.push({ ...place, at: part.state.time.start, kind: "call", partID: part.id })
    const end = partEnd(part)
    if (end !== null && callStatus(part) === "failed")
      moments.push({ ...place, at: end, kind: "error", partID: part.id })
  }
  if (info.error !== null) moments.push({ ...place, at: completed ?? created, kind: "error", partID: null })
  if (completed !== null) moments.push({ ...place, at: completed, kind: "end" })
  return moments
}

function placeOf({ id, sessionID }: { id: string; sessionID: string }) {
  return { sessionID, messageID: id }
}

/** When a part began (epoch ms); without a time of its own, when it was made. */
export function partStart(part: Part, messageCreated: number): number {
  if ((part.type === "text" || part.type === "reasoning") && part.time !== undefined) return part.time.start
  if (part.type === "tool" && part.state.status !== "pending") return part.state.time.start
  if (part.type === "retry") return part.time.created
  return Math.max(messageCreated, idTime(part.id) ?? messageCreated)
}

/** When a part was whole (epoch ms); null while it is not, and for one that is whole from the start. */
export function partEnd(part: Part): number | null {
  if (part.type === "text" || part.type === "reasoning") return part.time?.end ?? null
  if (part.type !== "tool") return null
  return part.state.status === "completed" || part.state.status === "error" ? part.state.time.end : null
}
