import { visibleText } from "@docket/core/rule"
import type { PermissionRequest, Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"

/** What a permission card shows. */
export interface RequestDescription {
  tool: string
  title: string
  command: string | null
  diff: string | null
  /** The session that asks, root first: titles from the root's child down. Empty for the root itself. */
  path: string[]
  agent: string
}

function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? visibleText(value) : null
}

/** Reads a request's metadata, which any tool may write, into the card's lines. */
export function describeRequest(request: PermissionRequest, sessions: Session[]): RequestDescription {
  const byID = new Map(sessions.map((session) => [session.id, session]))
  const path: string[] = []
  let session = byID.get(request.sessionID)
  const agent = session?.agent ?? "agent"
  while (session?.parentID) {
    path.unshift(shortTitle(session))
    session = byID.get(session.parentID)
  }
  const command = text(request.metadata.command)
  const title = text(request.metadata.title) ?? text(request.metadata.description)
  return {
    tool: text(request.metadata.tool) ?? request.permission,
    title: title ?? (command ? "" : visibleText(request.patterns.join(", "))),
    command,
    diff: text(request.metadata.diff),
    path,
    agent,
  }
}
