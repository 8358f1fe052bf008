import type { Tables } from "./tables.ts"
import type { UndoLog } from "./undo-log.ts"

/** Removes the session, its subtree and all their rows; with a root also its shares and grants. */
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
  for (const rows of tables.owned) {
    for (const row of rows.values()) if (row.sessionID === sessionID) undo.delete(rows, row.id)
  }
  undo.delete(tables.sessions, sessionID)
  const { parentID, rootID } = row.value
  undo.remove(tables.treeSessions, rootID, sessionID)
  if (parentID !== null) {
    undo.remove(tables.children, parentID, sessionID)
    return
  }
  undo.delete(tables.grants, rootID)
  for (const share of tables.shares.values()) if (share.rootID === rootID) undo.delete(tables.shares, share.id)
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
