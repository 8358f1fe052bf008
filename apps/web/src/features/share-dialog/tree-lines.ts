import type { SharePreview } from "@docket/core"
import { shortTitle } from "@docket/core/session-title"

type PreviewSession = SharePreview["sessions"][number]

/** A session of the tree as a line to choose. */
export interface TreeLine {
  id: string
  title: string
  agent: string
  parts: number
  /** The root has 0. */
  depth: number
  isShown: boolean
  /** Left out with what stands above it: it has no choice of its own. */
  isBelowLeft: boolean
}

/** The tree in the order of a reader: each child under what delegated to it. */
export function treeLines(sessions: readonly PreviewSession[], left: ReadonlySet<string>): TreeLine[] {
  const known = new Set(sessions.map(({ id }) => id))
  const below = Map.groupBy(sessions, ({ parentID }) => (parentID !== null && known.has(parentID) ? parentID : null))
  const lines: TreeLine[] = []
  const add = (parent: string | null, depth: number, isBelowLeft: boolean) => {
    for (const session of below.get(parent) ?? []) {
      const { id, agent, parts } = session
      const isLeft = isBelowLeft || left.has(id)
      lines.push({ id, title: shortTitle(session), agent, parts, depth, isShown: !isLeft, isBelowLeft })
      add(id, depth + 1, isLeft)
    }
  }
  add(null, 0, false)
  return lines
}
