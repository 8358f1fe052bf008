import type { Journal } from "./journal.ts"
import type { MemoryState } from "./memory-state.ts"

/** Removes the session, its subtree and all their rows; with a root also its shares and grants. */
export function removeSession(state: MemoryState, journal: Journal, sessionID: string): void {
  const row = state.sessions.get(sessionID)
  if (!row) return
  for (const childID of [...(state.children.get(sessionID) ?? [])]) removeSession(state, journal, childID)
  for (const messageID of [...(state.sessionMessages.get(sessionID) ?? [])]) {
    removeMessage(state, journal, sessionID, messageID)
  }
  for (const id of state.sessionPermissions.get(sessionID) ?? []) {
    journal.delete(state.permissions, id)
    journal.delete(state.pendingPermissions, id)
  }
  for (const id of state.sessionTurns.get(sessionID) ?? []) {
    journal.delete(state.turns, id)
    journal.delete(state.openTurns, id)
  }
  for (const index of [state.sessionMessages, state.sessionPermissions, state.sessionTurns, state.children]) {
    journal.delete(index, sessionID)
  }
  journal.delete(state.todos, sessionID)
  removeOwned(journal, state.tasks, sessionID)
  removeOwned(journal, state.todoChanges, sessionID)
  removeOwned(journal, state.memories, sessionID)
  journal.delete(state.sessions, sessionID)
  const { parentID, rootID } = row.value
  journal.remove(state.treeSessions, rootID, sessionID)
  if (parentID !== null) {
    journal.remove(state.children, parentID, sessionID)
    return
  }
  journal.delete(state.grants, rootID)
  for (const share of state.shares.values()) if (share.rootID === rootID) journal.delete(state.shares, share.id)
}

function removeOwned<T extends { id: string; sessionID: string | null }>(
  journal: Journal,
  rows: Map<string, T>,
  sessionID: string,
): void {
  for (const row of rows.values()) if (row.sessionID === sessionID) journal.delete(rows, row.id)
}

export function removeMessage(state: MemoryState, journal: Journal, sessionID: string, messageID: string): void {
  for (const partID of state.messageParts.get(messageID) ?? []) journal.delete(state.parts, partID)
  journal.delete(state.messageParts, messageID)
  journal.delete(state.messages, messageID)
  journal.remove(state.sessionMessages, sessionID, messageID)
}

export function removePart(state: MemoryState, journal: Journal, messageID: string, partID: string): void {
  journal.delete(state.parts, partID)
  journal.remove(state.messageParts, messageID, partID)
}
