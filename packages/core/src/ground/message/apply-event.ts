import type {
  EventProperties,
  EventsWith,
  EventType,
  FeedItem,
  Message,
  PermissionRequest,
  Session,
  Turn,
} from "../schema/index.ts"
import { findMessage, putPart, type TreeState, withMessage } from "./tree-state.ts"

/** Makes the next state of the tree from an event's content. */
type Apply<T extends EventType> = (state: TreeState, content: EventProperties<T>, seq: number | null) => TreeState
type TreeRow = Exclude<EventsWith<{ row: object }>, EventsWith<{ apart: true }>>

/** By event: the compiler demands each one that stands for a row of the tree; others may change the tree, too. */
const applied: { [T in TreeRow]: Apply<T> } & {
  [T in Exclude<EventType, EventsWith<{ row: object }>>]?: Apply<T>
} = {
  "session.created": putSession,
  "session.updated": putSession,
  "session.deleted": (state, { sessionID }) => removeSession(state, sessionID),
  "session.status": putStatus,
  "message.updated": (state, { info }, seq) => versioned(state, info.id, seq, (next) => putMessage(next, info)),
  "message.removed": removeMessage,
  "message.part.updated": (state, { part }, seq) =>
    versioned(state, part.id, seq, (next) => putPart(withoutStale(next, part.id), part)),
  "message.part.removed": removePart,
  "message.part.delta": applyDelta,
  "todo.updated": (state, { sessionID, todos }, seq) =>
    versioned(state, `todos:${sessionID}`, seq, (next) => ({ ...next, todos: { ...next.todos, [sessionID]: todos } })),
  "task.updated": (state, { task }, seq) =>
    versioned(state, task.id, seq, (next) => ({ ...next, tasks: { ...next.tasks, [task.id]: task } })),
  "permission.asked": putRequest,
  "permission.replied": putRequest,
  "turn.updated": putTurn,
}

/**
 * Folds one feed item into the state of a tree. Pure; shared by server and browser. Items of other
 * trees and items that are older than what is held change nothing. `resync` only moves the cursor: the
 * caller fetches a new snapshot.
 */
export function applyEvent(state: TreeState, item: FeedItem): TreeState {
  if (item.rootID !== state.rootID) return state
  if (item.type === "resync") return { ...state, seq: item.seq }
  // The function of a type takes the content of that type.
  const apply = applied[item.type as TreeRow] as Apply<EventType> | undefined
  const next = apply === undefined ? state : apply(state, item.properties, item.seq)
  return item.seq !== null && item.seq > next.seq ? { ...next, seq: item.seq } : next
}

function putSession(state: TreeState, { info }: { info: Session }, seq: number | null): TreeState {
  return versioned(state, info.id, seq, (next) => ({ ...next, sessions: { ...next.sessions, [info.id]: info } }))
}

/**
 * Only the status `storing` and its end come from this event: the session's row cannot be written then. All other
 * statuses come from the row.
 */
function putStatus(state: TreeState, { sessionID, status }: EventProperties<"session.status">): TreeState {
  const known = state.sessions[sessionID]
  if (known === undefined) return state
  const isAboutStoring = status.type === "storing" || known.status.type === "storing"
  if (!isAboutStoring) return state
  return { ...state, sessions: { ...state.sessions, [sessionID]: { ...known, status } } }
}

function putRequest(state: TreeState, { request }: { request: PermissionRequest }, seq: number | null): TreeState {
  return versioned(state, request.id, seq, (next) => ({
    ...next,
    permissions: kept(next.permissions, request, request.status === "pending"),
  }))
}

function putTurn(state: TreeState, { turn }: { turn: Turn }, seq: number | null): TreeState {
  const open = turn.status === "queued" || turn.status === "running"
  return versioned(state, turn.id, seq, (next) => ({
    ...next,
    turns: kept(next.turns, turn, open),
    takenBack: isTakenBack(turn) ? [...next.takenBack, turn].slice(-maxTakenBack) : next.takenBack,
  }))
}

/** Most prompts that are remembered as taken back. */
const maxTakenBack = 3

function isTakenBack({ status, messageID, stoppedBy }: Turn): boolean {
  return status === "aborted" && messageID === null && stoppedBy !== undefined
}

/** Applies a change of a row, unless the row that is held is at least as new. */
function versioned(
  state: TreeState,
  id: string,
  seq: number | null,
  change: (state: TreeState) => TreeState,
): TreeState {
  if (seq === null) return change(state)
  if ((state.versions[id] ?? 0) >= seq) return state
  const next = change(state)
  // A row that was not taken up, because its transcript is not loaded, is not noted as seen.
  return next === state ? state : { ...next, versions: { ...next.versions, [id]: seq } }
}

function kept<T extends { id: string }>(record: Record<string, T>, value: T, keep: boolean): Record<string, T> {
  const { [value.id]: _, ...rest } = record
  return keep ? { ...rest, [value.id]: value } : rest
}

/** The part is no longer to be fetched: it has just arrived whole. */
function withoutStale(state: TreeState, partID: string): TreeState {
  if (!state.staleParts.includes(partID)) return state
  return { ...state, staleParts: state.staleParts.filter((id) => id !== partID) }
}

function putMessage(state: TreeState, info: Message): TreeState {
  const window = state.transcripts[info.sessionID]
  if (window === undefined) return state
  const index = findMessage(window.messages, info.id)
  const held = window.messages[index]
  if (held !== undefined) return withMessage(state, info.sessionID, index, { ...held, info })
  const last = window.messages.at(-1)
  const isOlder = last !== undefined && info.id < last.info.id
  // Outside the loaded stretch: it comes with its page.
  if (window.after !== null || isOlder) return state
  const { [info.id]: parts = [], ...earlyParts } = state.earlyParts
  const messages = [...window.messages, { info, parts }]
  return { ...state, earlyParts, transcripts: { ...state.transcripts, [info.sessionID]: { ...window, messages } } }
}

function removeMessage(state: TreeState, at: { sessionID: string; messageID: string }): TreeState {
  const window = state.transcripts[at.sessionID]
  if (window === undefined) return state
  const messages = window.messages.filter((message) => message.info.id !== at.messageID)
  return { ...state, transcripts: { ...state.transcripts, [at.sessionID]: { ...window, messages } } }
}

function removePart(state: TreeState, at: { sessionID: string; messageID: string; partID: string }): TreeState {
  const window = state.transcripts[at.sessionID]
  const index = window === undefined ? -1 : findMessage(window.messages, at.messageID)
  const message = window?.messages[index]
  if (message === undefined) return state
  const parts = message.parts.filter((part) => part.id !== at.partID)
  return withMessage(state, at.sessionID, index, { ...message, parts })
}

function removeSession(state: TreeState, sessionID: string): TreeState {
  const gone = new Set([sessionID])
  const sessions = Object.values(state.sessions).sort((a, b) => a.depth - b.depth)
  for (const session of sessions) if (session.parentID !== null && gone.has(session.parentID)) gone.add(session.id)
  const without = <T>(record: Record<string, T>, owner: (key: string, value: T) => string) =>
    Object.fromEntries(Object.entries(record).filter(([key, value]) => !gone.has(owner(key, value))))
  return {
    ...state,
    removed: state.removed || gone.has(state.rootID),
    sessions: without(state.sessions, (key) => key),
    transcripts: without(state.transcripts, (key) => key),
    todos: without(state.todos, (key) => key),
    permissions: without(state.permissions, (_, request) => request.sessionID),
    turns: without(state.turns, (_, turn) => turn.sessionID),
    takenBack: state.takenBack.filter(({ sessionID }) => !gone.has(sessionID)),
    tasks: without(state.tasks, (_, task) => task.sessionID),
  }
}

function applyDelta(state: TreeState, delta: EventProperties<"message.part.delta">): TreeState {
  const window = state.transcripts[delta.sessionID]
  const message = window?.messages[findMessage(window.messages, delta.messageID)]
  const part = message?.parts.find((candidate) => candidate.id === delta.partID)
  if (part === undefined || (part.type !== "text" && part.type !== "reasoning")) return state
  const held = part.text.length - delta.offset
  // The row that was fetched may already hold some of this text.
  if (held >= delta.text.length) return state
  if (held >= 0) return putPart(state, { ...part, text: part.text + delta.text.slice(held) })
  return state.staleParts.includes(part.id) ? state : { ...state, staleParts: [...state.staleParts, part.id] }
}
