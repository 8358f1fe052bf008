import type { TreeState } from "@docket/client"
import { type Mark, treeMarks } from "@docket/core/marks"

/** The status marks of a tree, computed from a loaded page. */
export function sessionMarks(tree: Pick<TreeState, "sessions" | "permissions" | "tasks">): Map<string, Mark | null> {
  return treeMarks({
    sessions: Object.values(tree.sessions),
    permissions: Object.values(tree.permissions),
    tasks: Object.values(tree.tasks),
  })
}
