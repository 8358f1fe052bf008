import type { Session } from "../../ground/schema/index.ts"

/** The session and its descendants, parents before their children. */
export function subtree(tree: Session[], sessionID: string): Session[] {
  const inside = new Set([sessionID])
  const sorted = tree.toSorted((a, b) => a.depth - b.depth)
  for (const member of sorted) if (member.parentID !== null && inside.has(member.parentID)) inside.add(member.id)
  return sorted.filter((member) => inside.has(member.id))
}
