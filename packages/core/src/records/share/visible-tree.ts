import type { Session } from "../../ground/schema/index.ts"
import type { LockedSession, ShareSource } from "./public-row.ts"

/** What of a tree a share shows. */
export interface VisibleTree {
  /** Root first, then by creation. */
  sessions: readonly Session[]
  /** Sessions that are left out, where what delegated to them is shown. */
  locked: readonly LockedSession[]
  /** Those that are left out, and all below them. */
  left: ReadonlySet<string>
  isShown(sessionID: string): boolean
  /** Whether the message was not undone. */
  isDone(sessionID: string, messageID: string): boolean
  /** By session, the message from which on it is undone. */
  undone: Readonly<Record<string, string>>
}

/** The sessions of a tree without those that are left out, those of an undone part, and all below these. */
export function visibleTree(sessions: readonly Session[], leftOut: readonly string[]): VisibleTree {
  const left = withBelow(sessions, leftOut)
  const taken = withBelow(
    sessions,
    sessions.flatMap(({ revert }) => revert?.children ?? []),
  )
  const shown = sessions.filter(({ id }) => !left.has(id) && !taken.has(id))
  const ids = new Set(shown.map(({ id }) => id))
  const locked = sessions.flatMap(({ id, parentID }) =>
    left.has(id) && !taken.has(id) && parentID !== null && ids.has(parentID) ? [{ id, parentID }] : [],
  )
  const undone = Object.fromEntries(shown.flatMap(({ id, revert }) => (revert ? [[id, revert.messageID]] : [])))
  return {
    sessions: shown,
    locked,
    left,
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
    case "locked":
      return true
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

/** Parents come before their children. */
function withBelow(sessions: readonly Session[], from: readonly string[]): ReadonlySet<string> {
  const found = new Set(from)
  for (const { id, parentID } of sessions) if (parentID !== null && found.has(parentID)) found.add(id)
  return found
}
