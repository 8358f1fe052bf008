import type { FeedItem, Message, Turn } from "../schema/index.ts"
import { findMessage, putPart, type TreeState, withMessage } from "./tree-state.ts"

/**
 * Folds one feed item into the state of a tree. Pure; shared by server and browser. Items of other
 * trees and items that are older than what is held change nothing. `resync` only moves the cursor: the
 * caller fetches a new snapshot.
 */
export function applyEvent(state: TreeState, item: FeedItem): TreeState {
  if (item.rootID !== state.rootID) return state
  if (item.type === "resync") return { ...state, seq: item.seq }
  if (item.type === "message.part.delta") return applyDelta(state, item.properties)
  const next = applyRow(state, item)
  return item.seq !== null && item.seq > next.seq ? { ...next, seq: item.seq } : next
}

type RowEvent = Exclude<FeedItem, { type: "resync" | "message.part.delta" }>

function applyRow(state: TreeState, event: RowEvent): TreeState {
  switch (event.type) {
    case "session.created":
    case "session.updated": {
      const { info } = event.properties
      return versioned(state, info.id, event.seq, (next) => ({
        ...next,
        sessions: { ...next.sessions, [info.id]: info },
      }))
    }
    case "session.deleted":
      return removeSession(state, event.properties.sessionID)
    case "message.updated": {
      const { info } = event.properties
      return versioned(state, info.id, event.seq, (next) => putMessage(next, info))
    }
    case "message.removed":
      return removeMessage(state, event.properties)
    case "message.part.updated": {
      const { part } = event.properties
      return versioned(state, part.id, event.seq, (next) => putPart(settled(next, part.id), part))
    }
    case "message.part.removed":
      return removePart(state, event.properties)
    case "todo.updated": {
      const { sessionID, todos } = event.properties
      return versioned(state, `todos:${sessionID}`, event.seq, (next) => ({
        ...next,
        todos: { ...next.todos, [sessionID]: todos },
      }))
    }
    case "permission.asked":
    case "permission.replied": {
      const { request } = event.properties
      return versioned(state, request.id, event.seq, (next) => ({
        ...next,
        permissions: kept(next.permissions, request, request.status === "pending"),
      }))
    }
    case "turn.updated": {
      const { turn } = event.properties
      const open = turn.status === "queued" || turn.status === "running"
      return versioned(state, turn.id, event.seq, (next) => ({
        ...next,
        turns: kept(next.turns, turn, open),
        takenBack: isTakenBack(turn) ? [...next.takenBack, turn].slice(-maxTakenBack) : next.takenBack,
      }))
    }
    case "task.updated": {
      const { task } = event.properties
      return versioned(state, task.id, event.seq, (next) => ({ ...next, tasks: { ...next.tasks, [task.id]: task } }))
    }
    case "session.status": {
      const { sessionID, status } = event.properties
      const known = state.sessions[sessionID]
      // The row tells of all others; this one it cannot tell of, nor when it is over.
      if (known === undefined || (status.type !== "storing" && known.status.type !== "storing")) return state
      return { ...state, sessions: { ...state.sessions, [sessionID]: { ...known, status } } }
    }
    // Read apart from the tree, by those who show them.
    case "review.thread.updated":
    case "review.comment.updated":
    case "review.verdict.updated":
    case "review.viewed.updated":
    case "session.listed":
    case "task.listed":
    case "todo.list.changed":
    case "share.updated":
    case "presence.updated":
    case "todo.item.updated":
    case "todo.item.removed":
    case "memory.updated":
    case "memory.removed":
    case "schedule.updated":
    case "schedule.removed":
    case "schedule.run.updated":
    case "session.error":
    case "project.updated":
    case "config.updated":
    case "workspace.updated":
      return state
  }
}

/** Most prompts that are remembered as taken back. */
const maxTakenBack = 3

function isTakenBack({ status, messageID, stoppedBy }: Turn): boolean {
  return status === "aborted" && messageID === null && stoppedBy !== undefined
}

function versioned(
  state: TreeState,
  id: string,
  seq: number | null,
  change: (state: TreeState) => TreeState,
): TreeState {
  if (seq === null) return change(state)
  if ((state.versions[id] ?? 0) >= seq) return state
  const next = change(state)
  // What was not taken up (its transcript is not loaded) is not known either.
  return next === state ? state : { ...next, versions: { ...next.versions, [id]: seq } }
}

function kept<T extends { id: string }>(record: Record<string, T>, value: T, keep: boolean): Record<string, T> {
  const { [value.id]: _, ...rest } = record
  return keep ? { ...rest, [value.id]: value } : rest
}

function settled(state: TreeState, partID: string): TreeState {
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
  // Outside the loaded stretch: it comes with its page.
  if (window.after !== null || (last !== undefined && info.id < last.info.id)) return state
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

interface Delta {
  sessionID: string
  messageID: string
  partID: string
  offset: number
  text: string
}

function applyDelta(state: TreeState, delta: Delta): TreeState {
  const window = state.transcripts[delta.sessionID]
  const message = window?.messages[findMessage(window.messages, delta.messageID)]
  const part = message?.parts.find((candidate) => candidate.id === delta.partID)
  if (part === undefined || (part.type !== "text" && part.type !== "reasoning")) return state
  if (part.text.length === delta.offset) return putPart(state, { ...part, text: part.text + delta.text })
  // The row that was fetched already holds this text.
  if (part.text.length > delta.offset) return state
  return state.staleParts.includes(part.id) ? state : { ...state, staleParts: [...state.staleParts, part.id] }
}
