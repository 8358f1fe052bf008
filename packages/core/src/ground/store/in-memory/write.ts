import { AlreadyMadeError, DocketError, StaleTurnError, UnknownTreeError } from "../../error/docket-error.ts"
import { missingSession } from "../../error/missing-session.ts"
import type { Session, Task } from "../../schema/index.ts"
import { changedComment, changedList, changedSession, type NewRow, newRows } from "../changed-rows.ts"
import type { Change, Mutation, TreeBatch, WriteStore } from "../port/index.ts"
import type { AnyRecord } from "../record/define-record.ts"
import { projectRecord } from "../record/project.ts"
import { records } from "../record/records.ts"
import { claimedTurn, hasToWait } from "../record/turn.ts"
import { deliveredTask } from "../task-ends.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { reserveNumbers, rowsOf, type Tables, treeLog } from "./tables.ts"
import { createUndoLog, type UndoLog } from "./undo-log.ts"

export function inMemoryWrite(tables: Tables): WriteStore {
  const commit = (batches: TreeBatch[]): Change[] => {
    requireTrees(tables, batches)
    for (const { fence, fresh, onlyNew, mutations } of batches) {
      if (fresh !== undefined && (tables.sessions.has(fresh) || tables.turns.has(fresh)))
        throw new AlreadyMadeError(fresh)
      if (onlyNew) requireNew(tables, mutations)
      for (const { turnID, epoch } of [fence ?? []].flat())
        if (tables.turns.get(turnID)?.epoch !== epoch) throw new StaleTurnError(turnID)
    }
    const undo = createUndoLog()
    const changes: Change[] = []
    try {
      for (const { rootID, mutations } of batches) {
        for (const mutation of mutations) {
          const seq = (tables.heads.get(rootID) ?? 0) + 1
          const change = applyMutation({ tables, undo, rootID, seq }, mutation)
          if (change !== null) changes.push(change)
          undo.set(tables.heads, rootID, seq)
        }
      }
    } catch (error) {
      undo.undo()
      throw error
    }
    for (const change of changes) {
      const log = treeLog(tables, change.rootID)
      if (change.kind === "session.removed" && change.sessionID === change.rootID) log.clear()
      log.append(Object.freeze(change))
    }
    return changes
  }
  return {
    commit: async (batches) => commit(batches),
    async claimTurn(turnID, now, owner) {
      const turn = tables.turns.get(turnID)
      const value = turn ? claimedTurn(turn, now, owner) : null
      if (!turn || !value) return null
      const open = [...tables.openTurns.values()].filter(({ sessionID }) => sessionID === turn.sessionID)
      if (hasToWait(turn, open, now)) return null
      return commit([{ rootID: value.rootID, mutations: [{ kind: "turn", value }] }])[0] ?? null
    },
    async closePermission(id, { replied, ...end }) {
      const request = tables.pendingPermissions.get(id)
      if (!request) return null
      const value = { ...request, ...end, time: { ...request.time, replied } }
      return commit([{ rootID: value.rootID, mutations: [{ kind: "permission", value }] }])[0] ?? null
    },
    async reserveTodoNumbers(count) {
      return reserveNumbers(tables, "todo", count)
    },
  }
}

/** @throws AlreadyMadeError */
function requireNew(tables: Tables, mutations: readonly Mutation[]): void {
  const known: Record<NewRow["table"], { has(id: string): boolean }> = {
    Session: tables.sessions,
    Message: tables.messages,
    Part: tables.parts,
    Todo: new Set([...tables.tenantTodos.keys(), ...[...tables.todos.values()].flat().map(({ id }) => id)]),
    TodoChange: tables.todoChanges,
    Turn: tables.turns,
    Task: tables.tasks,
    ReviewThread: tables.threads,
    ReviewComment: tables.comments,
    ReviewVerdict: tables.verdicts,
    ReviewViewed: tables.viewed,
    PermissionRequest: tables.permissions,
  }
  for (const { table, id } of newRows(mutations)) if (known[table].has(id)) throw new AlreadyMadeError(id)
}

function requireTrees(tables: Tables, batches: TreeBatch[]): void {
  const created = new Set<string>()
  for (const { rootID, mutations } of batches) {
    const [first] = mutations
    const isNew = !tables.heads.has(rootID) && first?.kind === "session" && first.value.id === rootID
    if (isNew) created.add(rootID)
    if (!created.has(rootID) && !tables.sessions.has(rootID)) throw new UnknownTreeError(rootID)
  }
}

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
function applyMutation(target: Target, mutation: Mutation): Change | null {
  const { tables, undo, rootID, seq } = target
  const createsRoot = mutation.kind === "session" && mutation.value.id === rootID
  if (!createsRoot && !tables.sessions.has(rootID)) throw new UnknownTreeError(rootID)
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
      return putTask(target, deliveredTask(mutation.taskID, tables.tasks.get(mutation.taskID)))
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
  if (value.id === rootID && before === undefined) {
    const { place = "" } = rowsOf(tables, projectRecord).get(value.projectID) ?? {}
    undo.set(tables.places, rootID, place)
  }
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
  if (!row) throw missingSession(sessionID)
  return row
}

/** Removes the session, its subtree and all their rows; with a root also those of its tree. */
function removeSession(tables: Tables, undo: UndoLog, sessionID: string): void {
  const row = tables.sessions.get(sessionID)
  if (!row) return
  for (const childID of [...(tables.children.get(sessionID) ?? [])]) removeSession(tables, undo, childID)
  for (const messageID of [...(tables.sessionMessages.get(sessionID) ?? [])]) {
    removeMessage(tables, undo, sessionID, messageID)
  }
  for (const id of tables.sessionPermissions.get(sessionID) ?? []) {
    undo.delete(tables.permissions, id)
    undo.delete(tables.pendingPermissions, id)
  }
  for (const id of tables.sessionTurns.get(sessionID) ?? []) {
    undo.delete(tables.turns, id)
    undo.delete(tables.openTurns, id)
  }
  for (const index of [tables.sessionMessages, tables.sessionPermissions, tables.sessionTurns, tables.children]) {
    undo.delete(index, sessionID)
  }
  undo.delete(tables.todos, sessionID)
  removeOwned(tables, undo, "session", sessionID)
  undo.delete(tables.sessions, sessionID)
  const { parentID, rootID } = row.value
  undo.remove(tables.treeSessions, rootID, sessionID)
  if (parentID !== null) {
    undo.remove(tables.children, parentID, sessionID)
    return
  }
  undo.delete(tables.places, rootID)
  removeOwned(tables, undo, "tree", rootID)
}

/** The rows of records that go with the session, or with the tree. */
function removeOwned(tables: Tables, undo: UndoLog, owner: "session" | "tree", id: string): void {
  const column = owner === "tree" ? "rootID" : "sessionID"
  for (const record of Object.values<AnyRecord>(records)) {
    if (record.owner !== owner) continue
    const rows = rowsOf(tables, record)
    for (const [key, value] of rows) if ((value as Record<string, unknown>)[column] === id) undo.delete(rows, key)
  }
}

function removeMessage(tables: Tables, undo: UndoLog, sessionID: string, messageID: string): void {
  for (const partID of tables.messageParts.get(messageID) ?? []) undo.delete(tables.parts, partID)
  undo.delete(tables.messageParts, messageID)
  undo.delete(tables.messages, messageID)
  undo.remove(tables.sessionMessages, sessionID, messageID)
}

function removePart(tables: Tables, undo: UndoLog, messageID: string, partID: string): void {
  undo.delete(tables.parts, partID)
  undo.remove(tables.messageParts, messageID, partID)
}
