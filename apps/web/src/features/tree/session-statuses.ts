import type { TreeState } from "@docket/client"
import { treeStatuses, type WorkStatus } from "@docket/core/work-status"

/** The status marks of a tree, computed from a loaded page. */
export function sessionStatuses(
  tree: Pick<TreeState, "sessions" | "permissions" | "tasks">,
): Map<string, WorkStatus | null> {
  return treeStatuses({
    sessions: Object.values(tree.sessions),
    permissions: Object.values(tree.permissions),
    tasks: Object.values(tree.tasks),
  })
}
