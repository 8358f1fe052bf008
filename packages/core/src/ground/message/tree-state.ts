import type { MessageWithParts, Part, PermissionRequest, Session, TaskSummary, Todo, Turn } from "../schema/index.ts"

/** The loaded stretch of a session's transcript. `before`/`after` name the edge message when more exists there. */
export interface TranscriptWindow {
  messages: MessageWithParts[]
  before: string | null
  after: string | null
}

/**
 * The state of one tree in a front end. Values are never mutated: an event replaces the values that it changes, so
 * unchanged messages and parts keep their identity and are not rendered again.
 */
export interface TreeState {
  rootID: string
  /** Cursor: resume the feed from here. */
  seq: number
  sessions: Record<string, Session>
  transcripts: Record<string, TranscriptWindow>
  todos: Record<string, Todo[]>
  /** Pending requests by id. */
  permissions: Record<string, PermissionRequest>
  /** Queued and running turns by id. */
  turns: Record<string, Turn>
  /** Prompts that a person took back before they began, since this state was loaded; the newest last. */
  takenBack: Turn[]
  /** Delegated tasks by id. */
  tasks: Record<string, TaskSummary>
  /** The sequence number at which each row was last seen: an older event must not undo a newer page. */
  versions: Record<string, number>
  /** Parts that missed a delta: fetch them again and hand them to `replacePart`. */
  staleParts: string[]
  /**
   * Parts that came before their message, by message. After a lost connection rows come in the order of their
   * last change, and a message changes last when it is finished.
   */
  earlyParts: Record<string, Part[]>
  /** The root was removed. */
  removed: boolean
}

export interface SnapshotInput {
  seq: number
  sessions: Session[]
  todos: Record<string, Todo[]>
  permissions: PermissionRequest[]
  turns: Turn[]
  tasks: TaskSummary[]
}

/** Builds the state from `session.tree`; transcripts are added page by page with `addPage`. */
export function treeFromSnapshot(rootID: string, snapshot: SnapshotInput): TreeState {
  return {
    rootID,
    seq: snapshot.seq,
    sessions: byID(snapshot.sessions),
    transcripts: {},
    todos: snapshot.todos,
    permissions: byID(snapshot.permissions),
    turns: byID(snapshot.turns),
    takenBack: [],
    tasks: byID(snapshot.tasks),
    versions: {},
    staleParts: [],
    earlyParts: {},
    removed: false,
  }
}

export interface PageInput {
  items: MessageWithParts[]
  before: string | null
  after: string | null
  /** Read before the page, so every row in it is at least this new. */
  seq: number
}

/** Adds a page of messages: `start` replaces the window, `before` and `after` extend it. */
export function addPage(
  state: TreeState,
  sessionID: string,
  page: PageInput,
  side: "start" | "before" | "after",
): TreeState {
  const versions = { ...state.versions }
  const current = state.transcripts[sessionID]
  const known = new Map(current?.messages.map((message) => [message.info.id, message]))
  const items = page.items.map((item) => newer(known.get(item.info.id), item, versions, page.seq))
  for (const item of items) {
    versions[item.info.id] = Math.max(versions[item.info.id] ?? 0, page.seq)
    for (const part of item.parts) versions[part.id] = Math.max(versions[part.id] ?? 0, page.seq)
  }
  const window =
    current === undefined || side === "start" ? { ...page, items } : merged(current, { ...page, items }, side)
  return {
    ...state,
    versions,
    transcripts: {
      ...state.transcripts,
      [sessionID]: { messages: window.items, before: window.before, after: window.after },
    },
  }
}

/** Puts a freshly fetched part in place of one that missed a delta. */
export function replacePart(state: TreeState, part: Part): TreeState {
  const staleParts = state.staleParts.filter((id) => id !== part.id)
  return putPart({ ...state, staleParts }, part)
}

export function putPart(state: TreeState, part: Part): TreeState {
  const window = state.transcripts[part.sessionID]
  if (window === undefined) return state
  const index = findMessage(window.messages, part.messageID)
  const message = index < 0 ? undefined : window.messages[index]
  if (message === undefined) return holdEarly(state, window, part)
  const at = message.parts.findIndex((candidate) => candidate.id === part.id)
  const parts = message.parts.slice()
  if (at >= 0) parts[at] = part
  else {
    let place = parts.length
    while (place > 0 && (parts[place - 1]?.id ?? "") > part.id) place--
    parts.splice(place, 0, part)
  }
  return withMessage(state, part.sessionID, index, { ...message, parts })
}

/** A part of a message that is not loaded: kept when the message is still to come, dropped when it is out of sight. */
function holdEarly(state: TreeState, window: TranscriptWindow, part: Part): TreeState {
  const last = window.messages.at(-1)
  const isOlder = last !== undefined && part.messageID < last.info.id
  if (window.after !== null || isOlder) return state
  const others = (state.earlyParts[part.messageID] ?? []).filter((held) => held.id !== part.id)
  const parts = [...others, part].sort((a, b) => (a.id < b.id ? -1 : 1))
  return { ...state, earlyParts: { ...state.earlyParts, [part.messageID]: parts } }
}

export function withMessage(state: TreeState, sessionID: string, index: number, message: MessageWithParts): TreeState {
  const window = state.transcripts[sessionID]
  if (window === undefined) return state
  const messages = window.messages.slice()
  messages[index] = message
  return { ...state, transcripts: { ...state.transcripts, [sessionID]: { ...window, messages } } }
}

/** Index of a message in a list ordered by id, or -1. */
export function findMessage(messages: MessageWithParts[], id: string): number {
  let low = 0
  let high = messages.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = messages[middle]?.info.id ?? ""
    if (candidate === id) return middle
    if (candidate < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** A fetched message with those of its rows that are held in a newer version than the page. */
function newer(
  held: MessageWithParts | undefined,
  fetched: MessageWithParts,
  versions: Record<string, number>,
  seq: number,
): MessageWithParts {
  if (held === undefined) return fetched
  const heldParts = new Map(held.parts.map((part) => [part.id, part]))
  return {
    info: (versions[held.info.id] ?? 0) > seq ? held.info : fetched.info,
    parts: fetched.parts.map((part) => ((versions[part.id] ?? 0) > seq ? (heldParts.get(part.id) ?? part) : part)),
  }
}

function merged(current: TranscriptWindow, page: PageInput, side: "before" | "after"): PageInput {
  const ids = new Set(page.items.map((item) => item.info.id))
  const rest = current.messages.filter((message) => !ids.has(message.info.id))
  const items = side === "before" ? [...page.items, ...rest] : [...rest, ...page.items]
  items.sort((a, b) => (a.info.id < b.info.id ? -1 : 1))
  return side === "before"
    ? { items, before: page.before, after: current.after, seq: page.seq }
    : { items, before: current.before, after: page.after, seq: page.seq }
}

function byID<T extends { id: string }>(values: T[]): Record<string, T> {
  return Object.fromEntries(values.map((value) => [value.id, value]))
}
