import { type AskDescription, describeAsk } from "@docket/core/rule"
import type { PermissionRequest, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"

/** What a permission card shows. */
export interface RequestDescription extends AskDescription {
  /** The session that asks, root first: titles from the root's child down. Empty for the root itself. */
  path: string[]
  agent: string
}

/** What a request asks, and where in the tree of its sessions. */
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
