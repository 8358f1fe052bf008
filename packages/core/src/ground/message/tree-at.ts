import type { Session, TaskSummary, Todo } from "../schema/index.ts"
import { listAt } from "./list-at.ts"
import { messageAt } from "./message-at.ts"
import { pastEnd } from "./past-span.ts"
import type { Moment, Past } from "./timeline.ts"
import { addUsage, noUsage, type Usage } from "./token-usage.ts"
import type { TranscriptWindow, TreeState } from "./tree-state.ts"

/**
 * A tree as it stood at a time (epoch ms), from the times that are stored with its rows and from its past. Nothing that
 * came later is in it, but titles, of which only the last is kept. From its last moment on it is the tree as it is now.
 * Rows that were by then as they are now are the same objects.
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
  const { moments: outstanding = [], waited: _waited, calls: _calls, size: _size, by: _by, ...rest } = task
  const begun = started !== null && started <= at
  const waits = outstanding.filter(({ kind }) => kind === "wait")
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
    moments: outstanding.filter(({ until }) => until <= at),
    waited: { ms: answered.reduce((sum, { from, until }) => sum + until - from, 0), since: open?.from ?? null },
    time: { created, started: begun ? started : null, ended: null },
  }
}

function callsBy(moments: readonly Moment[], from: number, until: number): number {
  return moments.filter(({ kind, at }) => kind === "call" && at > from && at <= until).length
}
