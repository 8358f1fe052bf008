import type { Session } from "@docket/core/schema"

/** Whether a session goes with an undone part: children are archived only by the undo of what made them. */
export function isUndone(session: Session | undefined): boolean {
  return session !== undefined && session.parentID !== null && session.time.archived !== null
}
