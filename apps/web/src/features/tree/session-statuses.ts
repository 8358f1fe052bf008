import type { TreeState } from "@docket/client"
import { treeStatuses, type WorkStatus } from "@docket/core/work-status"

/** The status marks of a tree, computed from a loaded page. `isAway`: its work waits for a host. */
export function sessionStatuses(
  tree: Pick<TreeState, "sessions" | "permissions" | "tasks">,
  isAway = false,
): Map<string, WorkStatus | null> {
  const rows = {
    sessions: Object.values(tree.sessions),
    permissions: Object.values(tree.permissions),
    tasks: Object.values(tree.tasks),
  }
  return treeStatuses(rows, isAway)
}
