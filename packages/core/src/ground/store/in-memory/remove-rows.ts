import type { AnyRecord } from "../record/define-record.ts"
import { records } from "../record/records.ts"
import { rowsOf, type Tables } from "./tables.ts"
import type { UndoLog } from "./undo-log.ts"

/** Removes the session, its subtree and all their rows; with a root also those of its tree. */
export function removeSession(tables: Tables, undo: UndoLog, sessionID: string): void {
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

export function removeMessage(tables: Tables, undo: UndoLog, sessionID: string, messageID: string): void {
  for (const partID of tables.messageParts.get(messageID) ?? []) undo.delete(tables.parts, partID)
  undo.delete(tables.messageParts, messageID)
  undo.delete(tables.messages, messageID)
  undo.remove(tables.sessionMessages, sessionID, messageID)
}

export function removePart(tables: Tables, undo: UndoLog, messageID: string, partID: string): void {
  undo.delete(tables.parts, partID)
  undo.remove(tables.messageParts, messageID, partID)
}
