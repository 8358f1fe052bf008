import { DocketError, UnknownTreeError } from "../../error/docket-error.ts"
import type { Session, Task } from "../../schema/index.ts"
import { changedComment } from "../changed-comment.ts"
import { changedList } from "../changed-list.ts"
import { changedSession } from "../changed-session.ts"
import type { Change, Mutation } from "../port/index.ts"
import { toldTask } from "../task-ends.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { removeMessage, removePart, removeSession } from "./remove-rows.ts"
import type { Tables } from "./tables.ts"
import type { UndoLog } from "./undo-log.ts"

interface Target {
  tables: Tables
  undo: UndoLog
  rootID: string
  seq: number
}

/**
 * Applies one mutation to the tables and answers with its change; null when there was nothing to change.
 * @throws UnknownTreeError or DocketError when a row it belongs to does not exist
 */
export function applyMutation(target: Target, mutation: Mutation): Change | null {
  const { tables, undo, rootID, seq } = target
  if (!tables.sessions.has(rootID) && !(mutation.kind === "session" && mutation.value.id === rootID)) {
    throw new UnknownTreeError(rootID)
  }
  switch (mutation.kind) {
    case "session":
      return putSession(target, frozenCopy(mutation.value))
    case "session.patch":
    case "session.note":
    case "session.notes.read":
    case "session.used":
    case "session.read": {
      const { value } = requireSession(tables, mutation.sessionID)
      return putSession(target, frozenCopy(changedSession(value, mutation)))
    }
    case "session.remove":
      removeSession(tables, undo, mutation.sessionID)
      return { rootID, seq, kind: "session.removed", sessionID: mutation.sessionID }
    case "message": {
      const value = frozenCopy(mutation.value)
      requireSession(tables, value.sessionID)
      undo.set(tables.messages, value.id, value)
      undo.insert(tables.sessionMessages, value.sessionID, value.id)
      return { rootID, seq, kind: "message", value }
    }
    case "message.remove": {
      const { sessionID, messageID } = mutation
      removeMessage(tables, undo, sessionID, messageID)
      return { rootID, seq, kind: "message.removed", sessionID, messageID }
    }
    case "part": {
      const value = frozenCopy(mutation.value)
      if (!tables.messages.has(value.messageID)) {
        throw new DocketError("message_not_found", `there is no message ${value.messageID} for part ${value.id}`)
      }
      undo.set(tables.parts, value.id, value)
      undo.insert(tables.messageParts, value.messageID, value.id)
      return { rootID, seq, kind: "part", value, quiet: mutation.quiet ?? false }
    }
    case "part.remove": {
      const { sessionID, messageID, partID } = mutation
      removePart(tables, undo, messageID, partID)
      return { rootID, seq, kind: "part.removed", sessionID, messageID, partID }
    }
    case "todos":
    case "todo":
    case "todo.remove":
      return putTodos(target, mutation)
    case "task":
      return putTask(target, mutation.value)
    case "task.new":
      return putTask(target, { ...mutation.value, number: lastNumber(tables, rootID) + 1 })
    case "task.told":
      return putTask(target, toldTask(mutation.taskID, tables.tasks.get(mutation.taskID)))
    case "thread":
    case "comment":
    case "comment.change":
    case "verdict":
    case "viewed":
      return putReview(target, mutation)
    case "permission": {
      const value = frozenCopy(mutation.value)
      requireSession(tables, value.sessionID)
      undo.set(tables.permissions, value.id, value)
      undo.insert(tables.sessionPermissions, value.sessionID, value.id)
      if (value.status === "pending") undo.set(tables.pendingPermissions, value.id, value)
      else undo.delete(tables.pendingPermissions, value.id)
      return { rootID, seq, kind: "permission", value }
    }
    case "turn": {
      const value = frozenCopy(mutation.value)
      requireSession(tables, value.sessionID)
      undo.set(tables.turns, value.id, value)
      undo.insert(tables.sessionTurns, value.sessionID, value.id)
      if (value.status === "queued" || value.status === "running") undo.set(tables.openTurns, value.id, value)
      else undo.delete(tables.openTurns, value.id)
      return { rootID, seq, kind: "turn", value }
    }
    default:
      return mutation satisfies never
  }
}

function putSession({ tables, undo, rootID, seq }: Target, value: Session): Change {
  const before = tables.sessions.get(value.id)
  if (value.parentID !== null) requireSession(tables, value.parentID)
  undo.set(tables.sessions, value.id, { value, createdSeq: before?.createdSeq ?? seq })
  undo.insert(tables.treeSessions, value.rootID, value.id)
  if (value.parentID !== null) undo.insert(tables.children, value.parentID, value.id)
  return { rootID, seq, kind: "session", value, created: before === undefined }
}

function putTask({ tables, undo, rootID, seq }: Target, task: Task): Change {
  const value = frozenCopy(task)
  requireSession(tables, value.sessionID)
  undo.set(tables.tasks, value.id, value)
  return { rootID, seq, kind: "task", value }
}

type ReviewMutation = Extract<Mutation, { kind: "thread" | "comment" | "comment.change" | "verdict" | "viewed" }>

function putReview(target: Target, mutation: ReviewMutation): Change | null {
  const { tables, rootID, seq } = target
  switch (mutation.kind) {
    case "thread":
      return { rootID, seq, kind: "thread", value: putOwned(target, tables.threads, mutation.value) }
    case "verdict":
      return { rootID, seq, kind: "verdict", value: putOwned(target, tables.verdicts, mutation.value) }
    case "viewed":
      return { rootID, seq, kind: "viewed", value: putOwned(target, tables.viewed, mutation.value) }
    case "comment": {
      const value = tables.comments.get(mutation.value.id) ?? mutation.value
      return { rootID, seq, kind: "comment", value: putOwned(target, tables.comments, value) }
    }
    case "comment.change": {
      const before = tables.comments.get(mutation.commentID)
      if (before === undefined) return null
      const value = changedComment(before, mutation.change)
      return { rootID, seq, kind: "comment", value: putOwned(target, tables.comments, value) }
    }
    default:
      return mutation satisfies never
  }
}

function putOwned<T extends { id: string; sessionID: string }>(
  { tables, undo }: Target,
  rows: Map<string, T>,
  row: T,
): T {
  const value = frozenCopy(row)
  requireSession(tables, value.sessionID)
  undo.set(rows, value.id, value)
  return value
}

/** The largest number of the tree's tasks, 0 when it has none. */
function lastNumber(tables: Tables, rootID: string): number {
  return [...tables.tasks.values()].reduce(
    (last, task) => (task.rootID === rootID ? Math.max(last, task.number) : last),
    0,
  )
}

type TodoMutation = Extract<Mutation, { kind: "todos" | "todo" | "todo.remove" }>

function putTodos({ tables, undo, rootID, seq }: Target, mutation: TodoMutation): Change {
  const { sessionID } = mutation
  requireSession(tables, sessionID)
  const value = frozenCopy(changedList(tables.todos.get(sessionID) ?? [], mutation))
  undo.set(tables.todos, sessionID, value)
  const changes = mutation.kind === "todos" ? (mutation.changes ?? []) : [mutation.change]
  for (const change of changes) undo.set(tables.todoChanges, change.id, frozenCopy(change))
  return { rootID, seq, kind: "todos", sessionID, value }
}

function requireSession(tables: Tables, sessionID: string) {
  const row = tables.sessions.get(sessionID)
  if (!row) throw new DocketError("session_not_found", `there is no session ${sessionID}`)
  return row
}
