import type { MessageWithParts, ToolPart } from "../schema/index.ts"
import { callStatus } from "./call-status.ts"

/**
 * A phase of an agent (epoch ms); `until` is null while it lasts. The agent works (`work`) or its tasks work for it
 * (`rest`). Beside that it may wait for a person (`wait`) or fail at something (`error`, a moment).
 */
export interface AgentPhase {
  kind: "work" | "rest" | "error" | "wait"
  from: number
  until: number | null
}

/** The time that one message or call takes (epoch ms); `until` is infinite while it lasts. */
export interface AgentSpan {
  kind: "answer" | "wait" | "call" | "error"
  from: number
  until: number
}

/** Calls in which an agent waits for tasks. */
const waitingTools = new Set(["task", "async_task_result", "async_task_gather"])

/** The phases of an agent in consecutive messages. `live`: the last message may go on. */
export function agentPhases(messages: readonly MessageWithParts[], live: boolean): AgentPhase[] {
  return phasesOf(agentSpans(messages, live ? Number.POSITIVE_INFINITY : null))
}

/**
 * The spans of consecutive messages and their calls. A last message without a recorded end ends at `next` (epoch ms),
 * or where it began if `next` is null.
 */
export function agentSpans(messages: readonly MessageWithParts[], next: number | null): AgentSpan[] {
  return messages.flatMap(({ info, parts }, index) => {
    if (info.role !== "assistant") return []
    const { created, completed } = info.time
    const end = completed ?? messages[index + 1]?.info.time.created ?? next ?? created
    return [{ kind: "answer", from: created, until: end } as const, ...parts.flatMap((part) => callSpans(part, end))]
  })
}

/** The spans of a part that is a call; `end` is when its message ended. */
function callSpans(part: MessageWithParts["parts"][number], end: number): AgentSpan[] {
  if (part.type !== "tool" || part.state.status === "pending") return []
  const ended = endOfCall(part)
  const until = Number.isFinite(ended) ? ended : end
  const { start: from } = part.state.time
  if (waitingTools.has(part.tool)) return [{ kind: "wait", from, until }]
  const failed = callStatus(part) === "failed" ? [{ kind: "error", from: ended, until: ended } as const] : []
  return [{ kind: "call", from, until }, ...failed]
}

/** When a call ended (epoch ms); infinite while it runs. */
export function endOfCall({ state }: ToolPart): number {
  return state.status === "completed" || state.status === "error" ? state.time.end : Number.POSITIVE_INFINITY
}

/**
 * The phases that spans make together: one kind at a time, and what failed. Own calls outrank waiting, waiting outranks
 * the answer around it.
 */
export function phasesOf(spans: readonly AgentSpan[]): AgentPhase[] {
  const errors = spans.flatMap(({ kind, from, until }) => (kind === "error" ? [{ kind, from, until }] : []))
  const changes = spans
    .filter(({ from, until }) => until > from)
    .flatMap(({ kind, from, until }) => [
      { at: from, kind, delta: 1 },
      { at: until, kind, delta: -1 },
    ])
    .toSorted((a, b) => a.at - b.at)
  const open = { answer: 0, wait: 0, call: 0, error: 0 }
  const merged: AgentPhase[] = []
  for (const [index, change] of changes.entries()) {
    open[change.kind] += change.delta
    const until = changes[index + 1]?.at ?? change.at
    if (until === change.at) continue
    const kind = open.call > 0 ? "work" : open.wait > 0 ? "rest" : open.answer > 0 ? "work" : null
    if (kind === null) continue
    const last = merged.at(-1)
    const phase = { kind, from: change.at, until: Number.isFinite(until) ? until : null } as const
    if (last?.kind === kind && last.until === change.at) merged[merged.length - 1] = { ...last, until: phase.until }
    else merged.push(phase)
  }
  return [...merged, ...errors]
}
