import { DocketError, UnknownTreeError } from "../../error/docket-error.ts"
import type { Session } from "../../schema/index.ts"
import { changedList } from "../changed-list.ts"
import type { Change, Mutation } from "../port.ts"
import { frozenCopy } from "./frozen-copy.ts"
import type { Journal } from "./journal.ts"
import type { MemoryState } from "./memory-state.ts"
import { removeMessage, removePart, removeSession } from "./remove-rows.ts"

interface Target {
  state: MemoryState
  journal: Journal
  rootID: string
  seq: number
}

/**
 * Applies one mutation to the tables and answers with its change.
 * @throws UnknownTreeError or DocketError when a row it belongs to does not exist
 */
export function applyMutation(target: Target, mutation: Mutation): Change {
  const { state, journal, rootID, seq } = target
  if (!state.sessions.has(rootID) && !(mutation.kind === "session" && mutation.value.id === rootID)) {
    throw new UnknownTreeError(rootID)
  }
  switch (mutation.kind) {
    case "session":
      return putSession(target, frozenCopy(mutation.value))
    case "session.patch": {
      const { value } = requireSession(state, mutation.sessionID)
      return putSession(target, frozenCopy({ ...value, ...frozenCopy(mutation.patch) }))
    }
    case "session.remove":
      removeSession(state, journal, mutation.sessionID)
      return { rootID, seq, kind: "session.removed", sessionID: mutation.sessionID }
    case "message": {
      const value = frozenCopy(mutation.value)
      requireSession(state, value.sessionID)
      journal.set(state.messages, value.id, value)
      journal.insert(state.sessionMessages, value.sessionID, value.id)
      return { rootID, seq, kind: "message", value }
    }
    case "message.remove": {
      const { sessionID, messageID } = mutation
      removeMessage(state, journal, sessionID, messageID)
      return { rootID, seq, kind: "message.removed", sessionID, messageID }
    }
    case "part": {
      const value = frozenCopy(mutation.value)
      if (!state.messages.has(value.messageID)) {
        throw new DocketError("message_not_found", `there is no message ${value.messageID} for part ${value.id}`)
      }
      journal.set(state.parts, value.id, value)
      journal.insert(state.messageParts, value.messageID, value.id)
      return { rootID, seq, kind: "part", value, quiet: mutation.quiet ?? false }
    }
    case "part.remove": {
      const { sessionID, messageID, partID } = mutation
      removePart(state, journal, messageID, partID)
      return { rootID, seq, kind: "part.removed", sessionID, messageID, partID }
    }
    case "todos":
    case "todo":
    case "todo.remove":
      return putTodos(target, mutation)
    case "task": {
      const value = frozenCopy(mutation.value)
      requireSession(state, value.sessionID)
      journal.set(state.tasks, value.id, value)
      return { rootID, seq, kind: "task", value }
    }
    case "permission": {
      const value = frozenCopy(mutation.value)
      requireSession(state, value.sessionID)
      journal.set(state.permissions, value.id, value)
      journal.insert(state.sessionPermissions, value.sessionID, value.id)
      if (value.status === "pending") journal.set(state.pendingPermissions, value.id, value)
      else journal.delete(state.pendingPermissions, value.id)
      return { rootID, seq, kind: "permission", value }
    }
    case "turn": {
      const value = frozenCopy(mutation.value)
      requireSession(state, value.sessionID)
      journal.set(state.turns, value.id, value)
      journal.insert(state.sessionTurns, value.sessionID, value.id)
      if (value.status === "queued" || value.status === "running") journal.set(state.openTurns, value.id, value)
      else journal.delete(state.openTurns, value.id)
      return { rootID, seq, kind: "turn", value }
    }
    default:
      return mutation satisfies never
  }
}

function putSession({ state, journal, rootID, seq }: Target, value: Session): Change {
  const before = state.sessions.get(value.id)
  if (value.parentID !== null) requireSession(state, value.parentID)
  journal.set(state.sessions, value.id, { value, createdSeq: before?.createdSeq ?? seq })
  journal.insert(state.treeSessions, value.rootID, value.id)
  if (value.parentID !== null) journal.insert(state.children, value.parentID, value.id)
  return { rootID, seq, kind: "session", value, created: before === undefined }
}

type TodoMutation = Extract<Mutation, { kind: "todos" | "todo" | "todo.remove" }>

function putTodos({ state, journal, rootID, seq }: Target, mutation: TodoMutation): Change {
  const { sessionID } = mutation
  requireSession(state, sessionID)
  const value = frozenCopy(changedList(state.todos.get(sessionID) ?? [], mutation))
  journal.set(state.todos, sessionID, value)
  const changes = mutation.kind === "todos" ? (mutation.changes ?? []) : [mutation.change]
  for (const change of changes) journal.set(state.todoChanges, change.id, frozenCopy(change))
  return { rootID, seq, kind: "todos", sessionID, value }
}

function requireSession(state: MemoryState, sessionID: string) {
  const row = state.sessions.get(sessionID)
  if (!row) throw new DocketError("session_not_found", `there is no session ${sessionID}`)
  return row
}
