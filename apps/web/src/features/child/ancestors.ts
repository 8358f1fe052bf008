import type { Session } from "@docket/core/schema"

/** The sessions above one, root first. */
export function ancestors(session: Session, sessions: Readonly<Record<string, Session>>): Session[] {
  const above: Session[] = []
  for (let parent = parentOf(session, sessions); parent; parent = parentOf(parent, sessions)) above.unshift(parent)
  return above
}

function parentOf(session: Session, sessions: Readonly<Record<string, Session>>): Session | undefined {
  return session.parentID === null ? undefined : sessions[session.parentID]
}
