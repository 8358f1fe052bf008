import { commandsOf, noticeOf } from "@docket/core/message"
import type { AssistantMessage, MessageChange, MessageWithParts, Part, ToolPart } from "@docket/core/schema"
import { totalTokens } from "@docket/core/usage"
import { changedBy } from "./changed-by.ts"
import { keepUnchanged } from "./keep-unchanged.ts"
import { parentSpans } from "./parent-spans.ts"
import { isTask, type Row, type TurnTotals } from "./row.ts"

export interface RowContext {
  /** The window includes the newest message. */
  atEnd: boolean
  /** The session works now: the last message may still grow. */
  busy: boolean
  /** Rows of the previous call. Unchanged rows are returned as the same objects. */
  previous?: readonly Row[]
}

/** Converts messages to rows. Pure; with `previous`, unchanged rows keep their identity. */
export function toRows(messages: readonly MessageWithParts[], context: RowContext): Row[] {
  const rows: Row[] = []
  const promptAt = new Map(
    messages.flatMap((entry, index) => (entry.info.role === "user" ? [[entry.info.id, index]] : [])),
  )
  for (const [index, entry] of messages.entries()) {
    const last = index === messages.length - 1
    const isActive = last && context.atEnd && context.busy
    if (entry.info.role === "user") {
      rows.push(...promptRows(entry))
      if (isActive) {
        const { id, agent, time } = entry.info
        rows.push({ kind: "waiting", key: `${id}:waiting`, agent, since: time.created })
      }
      continue
    }
    const isRetriedNext = isRetried(messages, index)
    const live = isActive && entry.info.time.completed === null
    const answer = answerRows(entry.info, isRetriedNext ? entry.parts.filter(isNoRetry) : entry.parts, live)
    const shown = withLanes(answer, () => messages.slice(index), context)
    rows.push(...(isLaterStep(messages, index) ? withStart(shown) : shown))
    if (entry.info.error && !isRetriedNext) {
      rows.push({ kind: "error", key: `${entry.info.id}:error`, message: entry.info, error: entry.info.error, last })
    }
    const next = messages[index + 1]
    const endsTurn = next ? next.info.role === "user" : context.atEnd && !context.busy
    if (endsTurn && entry.info.time.completed !== null) {
      const start = promptAt.get(entry.info.parentID)
      const totals = start === undefined ? null : turnTotals(messages, start, index)
      const asked = start === undefined ? undefined : messages[start]
      const prompt = asked?.parts.some(isPromptContent) ? asked : null
      rows.push({ kind: "meta", key: `${entry.info.id}:meta`, message: entry.info, totals, prompt })
    }
  }
  return context.previous ? keepUnchanged(rows, context.previous) : rows
}

function promptRows({ info, parts }: MessageWithParts): Row[] {
  if (info.role !== "user") return []
  const rows: Row[] = []
  const shown = parts.filter((part) => isPromptContent(part))
  const hidden = parts.filter((part) => part.type === "text" && part.synthetic)
  const notices = hidden.filter((part) => noticeOf(part) !== null)
  const promptParts = [shown, notices, hidden].find(({ length }) => length > 0) ?? []
  if (promptParts.length > 0) {
    rows.push({ kind: "prompt", key: info.id, message: info, parts: promptParts, synthetic: shown.length === 0 })
  }
  for (const part of parts) {
    if (part.type === "compaction") rows.push({ kind: "compaction", key: part.id })
    // Separate rows: they arrive after the prompt is drawn, and a followed transcript scrolls for new rows.
    if (shown.length > 0 && (isCommandResult(part) || isWindowNotice(part))) {
      rows.push({
        kind: "part",
        key: part.id,
        part,
        agent: info.agent,
        streaming: false,
        step: null,
        beginsStep: false,
      })
    }
  }
  return rows
}

function isPromptContent(part: Part): boolean {
  if (part.type === "text") return part.text.trim() !== "" && (!part.synthetic || noticeOf(part)?.kind === "command")
  return part.type === "file" || part.type === "agent" || part.type === "subtask"
}

/** Results of the commands in a prompt are shown below it. */
function isCommandResult(part: Part): boolean {
  return (commandsOf(part)?.results.length ?? 0) > 0
}

/** The notice about content that the model does not read, shown below the prompt. */
function isWindowNotice(part: Part): boolean {
  return noticeOf(part)?.kind === "window"
}

function answerRows(info: AssistantMessage, parts: Part[], live: boolean): Row[] {
  const rows: Row[] = []
  const lastPart = parts.at(-1)
  const retries = parts.filter((part) => part.type === "retry")
  const [firstRetry] = retries
  // The first parts of an attempt have nothing to show.
  const hasNoOutput = live && !parts.some((part) => isShown(part, false) || part.type === "step-finish")
  for (const part of parts) {
    if (part.type === "retry") {
      if (part === firstRetry) rows.push({ kind: "retry", key: part.id, parts: retries, over: !hasNoOutput })
      continue
    }
    if (part.type === "compaction") {
      rows.push({ kind: "compaction", key: part.id })
      continue
    }
    if (part.type === "step-finish") {
      const before = rows.at(-1)
      const step = { tokens: totalTokens(part.tokens), cost: part.cost }
      // A model that reports no usage has no figures to show.
      if (before?.kind === "part" && step.tokens + step.cost > 0) rows[rows.length - 1] = { ...before, step }
      continue
    }
    // Parts that the model keeps word for word after a compaction; the user already sees them above.
    if (info.summary && part.type === "text" && part.synthetic) continue
    if (isShown(part, live && part === lastPart)) {
      const streaming = live && part === lastPart
      rows.push({ kind: "part", key: part.id, part, agent: info.agent, streaming, step: null, beginsStep: false })
    }
  }
  const isBetweenSteps = lastPart === undefined || lastPart.type === "step-start" || lastPart.type === "step-finish"
  const showsProgress = () => retries.length > 0 || parts.some(isOpenCall)
  if (live && isBetweenSteps && !showsProgress()) {
    rows.push({ kind: "waiting", key: `${info.id}:waiting`, agent: info.agent, since: info.time.created })
  }
  return rows
}

/** Whether the next message retries this one. Its row then shows all attempts. */
function isRetried(messages: readonly MessageWithParts[], index: number): boolean {
  const [current, next] = [messages[index]?.info, messages[index + 1]]
  if (current?.role !== "assistant" || current.error === null || next?.info.role !== "assistant") return false
  return next.info.parentID === current.parentID && next.parts.some((part) => part.type === "retry")
}

/** Whether steps of the same turn are before this one. Attempts of one step are one. */
function isLaterStep(messages: readonly MessageWithParts[], index: number): boolean {
  return messages[index - 1]?.info.role === "assistant" && !isRetried(messages, index - 1)
}

/** Marks the first row of a step. */
function withStart(rows: Row[]): Row[] {
  const first = rows.findIndex(({ kind }) => kind === "part" || kind === "lanes")
  return rows.map((row, index) => (index === first && "beginsStep" in row ? { ...row, beginsStep: true } : row))
}

const isNoRetry = (part: Part) => part.type !== "retry"

/** Whether the part is a running call, which shows its own progress. */
function isOpenCall(part: Part): boolean {
  return part.type === "tool" && (part.state.status === "pending" || part.state.status === "running")
}

/** Merges two or more tasks of one answer into one row. `from` returns the answer and the messages after it. */
function withLanes(rows: Row[], from: () => MessageWithParts[], { atEnd, busy }: RowContext): Row[] {
  const cards = rows.filter(isTaskRow)
  const [first] = cards
  if (first === undefined || cards.length < 2) return rows
  const tasks = cards.map(({ part }) => part)
  const parent = parentSpans(from(), tasks, atEnd && busy)
  const step = cards.findLast((card) => card.step !== null)?.step ?? null
  const key = `${first.key}:lanes`
  const lanes: Row = { kind: "lanes", key, tasks, agent: first.agent, parent, open: [], step, beginsStep: false }
  return rows.flatMap((row) => (row === first ? [lanes] : isTaskRow(row) ? [] : [row]))
}

function isTaskRow(row: Row): row is Extract<Row, { kind: "part" }> & { part: ToolPart } {
  return row.kind === "part" && isTask(row.part)
}

function isShown(part: Part, streaming: boolean): boolean {
  if (part.type === "text") return part.text.trim() !== "" || streaming
  if (part.type === "reasoning") return part.text.trim() !== "" || streaming
  return part.type === "tool" || part.type === "file" || part.type === "subtask"
}

function turnTotals(messages: readonly MessageWithParts[], start: number, end: number): TurnTotals {
  const totals = { tokens: 0, cost: 0, elapsed: 0, steps: 0 }
  const changed: MessageChange[] = []
  const began = messages[start]?.info.time.created ?? 0
  for (const { info } of messages.slice(start, end + 1)) {
    if (info.role === "user") continue
    totals.tokens += totalTokens(info.tokens)
    totals.cost += info.cost
    totals.steps += 1
    totals.elapsed = (info.time.completed ?? info.time.created) - began
    changed.push(...(info.changed ?? []))
  }
  return { ...totals, changed: changedBy(changed).join(", ") }
}
