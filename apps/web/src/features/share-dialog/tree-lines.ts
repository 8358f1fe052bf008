import type { SharePreview } from "@docket/core"
import { shortTitle } from "@docket/core/session-title"

type PreviewSession = SharePreview["sessions"][number]

/** A session of the tree as a line with a checkbox. */
export interface TreeLine {
  id: string
  title: string
  agent: string
  parts: number
  /** 0 for the root. */
  depth: number
  isShown: boolean
  /** Left out because an ancestor is: it has no choice of its own. */
  isBelowLeft: boolean
}

/** The tree as a list: each child after the session that delegated to it. */
export function treeLines(sessions: readonly PreviewSession[], leftOut: ReadonlySet<string>): TreeLine[] {
  const known = new Set(sessions.map(({ id }) => id))
  const below = Map.groupBy(sessions, ({ parentID }) => (parentID !== null && known.has(parentID) ? parentID : null))
  const lines: TreeLine[] = []
  const add = (parent: string | null, depth: number, isBelowLeft: boolean) => {
    for (const session of below.get(parent) ?? []) {
      const { id, agent, parts } = session
      const isLeftOut = isBelowLeft || leftOut.has(id)
      lines.push({ id, title: shortTitle(session), agent, parts, depth, isShown: !isLeftOut, isBelowLeft })
      add(id, depth + 1, isLeftOut)
    }
  }
  add(null, 0, false)
  return lines
}
