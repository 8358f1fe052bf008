import type { MessageWithParts, Part, Session, TaskSummary, Todo, ToolPart } from "../schema/index.ts"
import { listAt } from "./list-at.ts"
import { type Moment, type Past, partEnd, partStart } from "./timeline.ts"
import type { TranscriptWindow, TreeState } from "./tree-state.ts"
import { addUsage, noUsage, type Usage } from "./usage.ts"

/**
 * A tree as it was at a time (epoch ms), from the times in its rows and from its past. It contains nothing later except
 * titles, of which only the last is stored. From the last moment of the tree on, it equals the current tree. Rows that
 * have not changed since that time are the same objects.
 */
export function treeAt(tree: TreeState, past: Past, at: number): TreeState {
  if (at >= pastEnd(tree, past)) return tree
  const bySession = Map.groupBy(past.moments, ({ sessionID }) => sessionID)
  const momentsIn = (sessionID: string) => bySession.get(sessionID) ?? []
  const sessions = kept(tree.sessions, (session) => sessionAt(session, momentsIn(session.id), at))
  const isThere = (sessionID: string) => sessions[sessionID] !== undefined
  return {
    ...tree,
    sessions,
    transcripts: kept(tree.transcripts, (window, id) => (isThere(id) ? windowAt(window, momentsIn(id), at) : null)),
    todos: kept(tree.todos, (list, id) => (isThere(id) ? todosAt(list, id, past, at) : null)),
    tasks: kept(tree.tasks, (task) => taskAt(task, momentsIn(task.sessionID), at)),
    permissions: kept(tree.permissions, (request) => (request.time.created <= at ? request : null)),
    turns: kept(tree.turns, (turn) => (turn.time.created <= at ? turn : null)),
    takenBack: [],
    staleParts: [],
    earlyParts: {},
    removed: false,
  }
}

/** The results of `of` for the rows, without nulls. */
function kept<T>(record: Record<string, T>, of: (value: T, key: string) => T | null): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => {
      const then = of(value, key)
      return then === null ? [] : [[key, then]]
    }),
  )
}

function sessionAt(session: Session, moments: readonly Moment[], at: number): Session | null {
  const { created, updated, archived } = session.time
  if (created > at) return null
  if (updated <= at) return session
  // It is not stored since when these hold.
  const { notes: _notes, stop: _stop, tree: _tree, writtenBy: _writtenBy, ended, revert, ...rest } = session
  return {
    ...rest,
    ...usedBy(moments, { until: at }),
    status: isBusy(session, moments, at) ? { type: "busy" } : { type: "idle" },
    ended: ended != null && ended.at <= at ? ended : null,
    revert: revert != null && revert.at <= at ? revert : null,
    abortedAt: session.abortedAt !== null && session.abortedAt <= at ? session.abortedAt : null,
    time: { created, updated: Math.min(updated, at), archived: archived !== null && archived <= at ? archived : null },
  }
}

/** A session works from a prompt to the end of the last step that answers it. */
function isBusy(session: Session, moments: readonly Moment[], at: number): boolean {
  const before = moments.findLast((moment) => moment.at <= at)
  if (before === undefined) return false
  const after = moments.find((moment) => moment.at > at)
  if (after !== undefined) return after.kind !== "prompt" && after.kind !== "note"
  return before.kind === "end" ? false : session.status.type !== "idle"
}

function usedBy(moments: readonly Moment[], { from = 0, until }: { from?: number; until: number }): Usage {
  return moments.reduce(
    (sum, moment) => (moment.kind === "spent" && moment.at > from && moment.at <= until ? addUsage(sum, moment) : sum),
    noUsage,
  )
}

function windowAt(window: TranscriptWindow, moments: readonly Moment[], at: number): TranscriptWindow {
  const messages = window.messages.flatMap((message) => messageAt(message, at) ?? [])
  const last = window.messages.at(-1)?.info.id ?? ""
  const goesOn = moments.some((moment) => moment.at <= at && moment.messageID > last)
  return { messages, before: window.before, after: goesOn ? window.after : null }
}

function todosAt(list: Todo[], sessionID: string, { changes }: Past, at: number): Todo[] {
  const own = changes.filter((change) => change.sessionID === sessionID)
  return own.some((change) => change.at > at) ? listAt(own, list, at) : list
}

function taskAt(task: TaskSummary, moments: readonly Moment[], at: number): TaskSummary | null {
  const { created, started, ended } = task.time
  if (created > at) return null
  if (ended !== null && ended <= at) return task
  const { moments: taskMoments = [], waited: _waited, calls: _calls, size: _size, by: _by, ...rest } = task
  const begun = started !== null && started <= at
  const waits = taskMoments.filter(({ kind }) => kind === "wait")
  const answered = waits.filter(({ until }) => until <= at)
  const open = waits.find(({ from, until }) => from <= at && until > at)
  return {
    ...rest,
    state: begun ? "running" : "queued",
    result: null,
    resultPath: null,
    error: null,
    deadline: null,
    delivered: "no",
    worktree: task.worktree && { ...task.worktree, state: "active", conflicts: [] },
    usage: { ...usedBy(moments, { from: created, until: at }), toolCalls: callsBy(moments, created, at) },
    moments: taskMoments.filter(({ until }) => until <= at),
    waited: { ms: answered.reduce((sum, { from, until }) => sum + until - from, 0), since: open?.from ?? null },
    time: { created, started: begun ? started : null, ended: null },
  }
}

function callsBy(moments: readonly Moment[], from: number, until: number): number {
  return moments.filter(({ kind, at }) => kind === "call" && at > from && at <= until).length
}

/**
 * A message as it was at a time (epoch ms); null when it did not exist yet. A message that was complete by then is the
 * same object. A text that was still being written is empty, because its state at that time is not known.
 */
function messageAt(message: MessageWithParts, at: number): MessageWithParts | null {
  const { info } = message
  const { created } = info.time
  if (created > at) return null
  // All parts of a prompt are written with it, although the id of one may be of the next millisecond.
  const startOf = (part: Part) => (info.role === "user" ? created : partStart(part, created))
  const parts = message.parts.flatMap((part) => (startOf(part) > at ? [] : [partAt(part, { at, created })]))
  const isWhole = parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index])
  if (info.role === "user") return isWhole ? message : { info, parts }
  const { completed } = info.time
  if (isWhole && (completed === null || completed <= at)) return message
  const used = parts.reduce((sum, part) => (part.type === "step-finish" ? addUsage(sum, part) : sum), noUsage)
  const open = completed !== null && completed > at
  const state = open ? { finish: null, error: null, time: { created, completed: null } } : {}
  return { info: { ...info, ...used, ...state }, parts }
}

/** A part that had begun by then. */
function partAt(part: Part, { at, created }: { at: number; created: number }): Part {
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

/**
 * A call that has ended since, as it was while it ran. Of its metadata only the child session and its names are kept;
 * the rest may come from a later time.
 */
function runningCall(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status === "pending" || state.status === "running") return part
  const { providerMetadata: _, ...rest } = part
  const { sessionId, agent, description } = state.metadata
  const metadata = { ...(sessionId !== undefined && { sessionId, agent, description }) }
  return { ...rest, state: { status: "running", input: state.input, metadata, time: { start: state.time.start } } }
}

type Rows = Pick<TreeState, "sessions" | "tasks">

/** A time at which a replay stops. A wait counts by its beginning. */
export interface Stop {
  at: number
  kind: "prompt" | "error" | "wait" | "other"
}

/** Everything that happened in a tree, by time: what sessions did, and what became of tasks and todos. */
export function stopsOf(rows: Rows, { moments, changes }: Past): Stop[] {
  const stops: Stop[] = Object.values(rows.sessions).map(({ time }) => ({ at: time.created, kind: "other" }))
  for (const { at, kind } of moments) stops.push({ at, kind: kind === "prompt" || kind === "error" ? kind : "other" })
  for (const { at } of changes) stops.push({ at, kind: "other" })
  for (const { time, moments: taskMoments = [] } of Object.values(rows.tasks)) {
    for (const at of [time.created, time.started, time.ended]) if (at !== null) stops.push({ at, kind: "other" })
    for (const { kind, from, until } of taskMoments) {
      if (kind === "wait") stops.push({ at: from, kind }, { at: until, kind: "other" })
    }
  }
  return stops.sort((a, b) => a.at - b.at)
}

/** The last moment of a tree (epoch ms). */
function pastEnd(rows: Rows, past: Past): number {
  let end = 0
  for (const { at } of stopsOf(rows, past)) end = Math.max(end, at)
  return end
}
