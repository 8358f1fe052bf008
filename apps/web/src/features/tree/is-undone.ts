import type { Session } from "@docket/core/schema"

/** Whether a session was undone. Children are archived only when the call that started them is undone. */
export function isUndone(session: Session | undefined): boolean {
  return session !== undefined && session.parentID !== null && session.time.archived !== null
}
