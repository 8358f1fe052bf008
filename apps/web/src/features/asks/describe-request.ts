import { type AskDescription, describeAsk } from "@docket/core/rule"
import type { PermissionRequest, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"

/** The content of a permission card. */
export interface RequestDescription extends AskDescription {
  /** Session titles from the root's child down to the asking session. Empty for the root itself. */
  path: string[]
  agent: string
}

/** Describes a request and the session that asks. */
export function describeRequest(request: PermissionRequest, sessions: Session[]): RequestDescription {
  const byID = new Map(sessions.map((session) => [session.id, session]))
  const path: string[] = []
  let session = byID.get(request.sessionID)
  const agent = session?.agent ?? "agent"
  while (session?.parentID) {
    path.unshift(shortTitle(session))
    session = byID.get(session.parentID)
  }
  return { ...describeAsk(request), path, agent }
}
