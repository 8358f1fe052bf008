import type { Session } from "@docket/core/schema"

/** The sibling `by` positions away among the children of the same parent, oldest first; null at the ends. */
export function sibling(session: Session, tree: Session[], by: 1 | -1): Session | null {
  if (session.parentID === null) return null
  const row = tree.filter((candidate) => candidate.parentID === session.parentID)
  return row[row.findIndex((candidate) => candidate.id === session.id) + by] ?? null
}
