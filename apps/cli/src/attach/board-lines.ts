import type { TreeState } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import { shortTitle } from "@docket/core/session-title"
import { treeStatuses, type WorkStatus } from "@docket/core/work-status"
import { todoLines } from "../run/tool-line.ts"

/** Statuses of children that are on the board: what is over is in the lines above it. */
const glyphs: Partial<Record<WorkStatus, string>> = { needs: "?", running: "◐", queued: "○" }

/** What stands below the lines on a terminal: the children that work or wait, and the todo list of the session. */
export function boardLines(
  tree: TreeState,
  { sessionID, label, rows }: { sessionID: string; label(id: string): string | null; rows: number },
): string[] {
  const statuses = treeStatuses({
    sessions: Object.values(tree.sessions),
    permissions: Object.values(tree.permissions),
    tasks: Object.values(tree.tasks),
  })
  const lanes = Object.values(tree.sessions).flatMap((session) => {
    const glyph = glyphs[statuses.get(session.id) ?? "done"]
    const name = label(session.id)
    if (glyph === undefined || name === null || session.id === sessionID) return []
    return [visibleText(`${glyph} ${name}  ${shortTitle(session)}`)]
  })
  const todos = tree.todos[sessionID] ?? []
  return [...atMost(lanes, rows), ...atMost(todos.length > 0 ? todoLines(todos) : [], rows)]
}

function atMost(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most - 1), `… and ${lines.length - most + 1} more`]
}
