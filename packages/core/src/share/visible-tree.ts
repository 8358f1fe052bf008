import type { Session } from "../schema/index.ts"
import type { ShareSource } from "./public-row.ts"

/** What of a tree a share shows. */
export interface VisibleTree {
  /** Root first, then by creation. */
  sessions: readonly Session[]
  isShown(sessionID: string): boolean
  /** Whether the message was not undone. */
  isDone(sessionID: string, messageID: string): boolean
  /** By session, the message from which on it is undone. */
  undone: Readonly<Record<string, string>>
}

/** The sessions of a tree without those that are left out, those of an undone part, and all below these. */
export function visibleTree(sessions: readonly Session[], left: readonly string[]): VisibleTree {
  const hidden = new Set([...left, ...sessions.flatMap(({ revert }) => revert?.children ?? [])])
  // Parents come before their children.
  for (const { id, parentID } of sessions) if (parentID !== null && hidden.has(parentID)) hidden.add(id)
  const shown = sessions.filter(({ id }) => !hidden.has(id))
  const ids = new Set(shown.map(({ id }) => id))
  const undone = Object.fromEntries(shown.flatMap(({ id, revert }) => (revert ? [[id, revert.messageID]] : [])))
  return {
    sessions: shown,
    isShown: (sessionID) => ids.has(sessionID),
    isDone: (sessionID, messageID) => messageID < (undone[sessionID] ?? "~"),
    undone,
  }
}

/** Whether a share of the tree shows the row. */
export function isVisible({ isShown, isDone }: VisibleTree, source: ShareSource): boolean {
  switch (source.kind) {
    case "session":
      return isShown(source.value.id)
    case "todos":
      return isShown(source.sessionID)
    case "message":
      return isShown(source.value.sessionID) && isDone(source.value.sessionID, source.value.id)
    case "part":
      return isShown(source.value.sessionID) && isDone(source.value.sessionID, source.value.messageID)
    case "task": {
      const { parentID, sessionID, messageID } = source.value
      return isShown(sessionID) && (messageID === null || isDone(parentID, messageID))
    }
  }
}
