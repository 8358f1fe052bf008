import { callMark } from "@docket/core/call-mark"
import type { MessageWithParts, ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"
import type { LaneStretch } from "../../tools/lay-out-lanes.ts"

/** Calls in which an agent waits for tasks. */
const waitingTools = new Set(["task", "async_task_result", "async_task_gather"])

interface Span {
  kind: "answer" | "wait" | "call"
  from: number
  until: number
}

/**
 * What an agent did from the answer on that delegates, the first of `messages`, up to the next prompt of a person or the
 * end of `tasks`, where that is known. `live`: the last message may go on.
 */
export function parentStretches(
  messages: readonly MessageWithParts[],
  tasks: readonly ToolPart[],
  live: boolean,
): LaneStretch[] {
  const end = endOf(tasks)
  const over = messages.findIndex((message) => message.info.time.created > end || isAsked(message))
  return agentStretches(messages, live, over < 0 ? messages.length : over)
}

/**
 * What an agent did in the first `count` messages: it works while it writes or a call of its own runs, and rests while it
 * waits for tasks; calls of its own that failed are moments. `live`: the last message may go on.
 */
export function agentStretches(
  messages: readonly MessageWithParts[],
  live: boolean,
  count = messages.length,
): LaneStretch[] {
  const spans: Span[] = []
  const errors: LaneStretch[] = []
  for (const [index, { info, parts }] of messages.slice(0, count).entries()) {
    if (info.role !== "assistant") continue
    const next = messages[index + 1]?.info.time.created
    const open = info.time.completed ?? next ?? (live ? Number.POSITIVE_INFINITY : info.time.created)
    spans.push({ kind: "answer", from: info.time.created, until: open })
    for (const part of parts) {
      if (part.type !== "tool" || part.state.status === "pending") continue
      const waits = waitingTools.has(part.tool)
      const until = endOfCall(part)
      spans.push({
        kind: waits ? "wait" : "call",
        from: part.state.time.start,
        until: Number.isFinite(until) ? until : open,
      })
      if (callMark(part) === "failed" && !waits) errors.push({ kind: "error", from: until, until })
    }
  }
  return [...merge(spans), ...errors]
}

/** When the last of the tasks has ended; infinite while one runs, and for those that go on after their call. */
function endOf(tasks: readonly ToolPart[]): number {
  return Math.max(...tasks.map((part) => (goesOn(part) ? Number.POSITIVE_INFINITY : endOfCall(part))))
}

function goesOn(part: ToolPart): boolean {
  const call = readToolCall(part)
  return call.tool !== "task" || call.metadata?.background === true
}

function endOfCall({ state }: ToolPart): number {
  return state.status === "completed" || state.status === "error" ? state.time.end : Number.POSITIVE_INFINITY
}

function isAsked(message: MessageWithParts): boolean {
  return message.info.role === "user" && message.parts.some((part) => part.type !== "text" || part.synthetic !== true)
}

/** One kind at a time: own calls outrank waiting, waiting outranks the answer around it. */
function merge(spans: readonly Span[]): LaneStretch[] {
  const changes = spans
    .filter(({ from, until }) => until > from)
    .flatMap(({ kind, from, until }) => [
      { at: from, kind, by: 1 },
      { at: until, kind, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at)
  const open = { answer: 0, wait: 0, call: 0 }
  const merged: LaneStretch[] = []
  for (const [index, change] of changes.entries()) {
    open[change.kind] += change.by
    const until = changes[index + 1]?.at ?? change.at
    if (until === change.at) continue
    const kind = open.call > 0 ? "work" : open.wait > 0 ? "rest" : open.answer > 0 ? "work" : null
    if (kind === null) continue
    const last = merged.at(-1)
    const stretch = { kind, from: change.at, until: Number.isFinite(until) ? until : null } as const
    if (last?.kind === kind && last.until === change.at) merged[merged.length - 1] = { ...last, until: stretch.until }
    else merged.push(stretch)
  }
  return merged
}
