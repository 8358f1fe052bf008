import type { StateUpdate, SubagentUpdate } from "@agentclientprotocol/sdk/unstable"
import type { TreeState } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"

type Tree = Pick<TreeState, "permissions" | "tasks" | "turns">

/** A child session as its parent announces it and tells how it goes on. */
export function subagentUpdate(child: Session, tree: Tree): SubagentUpdate {
  const tasks = Object.values(tree.tasks).filter(({ sessionID }) => sessionID === child.id)
  const isCancellable = tasks.some(({ state }) => state === "queued" || state === "running")
  return {
    sessionId: child.id,
    title: visibleText(shortTitle(child)),
    description: `@${visibleText(child.agent)}`,
    cwd: child.directory,
    capabilities: isCancellable ? { cancel: {} } : {},
    state: stateOf(child, tree),
  }
}

/** How a session's work stands, with the reason of its last end. */
function stateOf({ id, status, ended }: Session, { permissions, turns }: Tree): StateUpdate {
  if (Object.values(permissions).some(({ sessionID }) => sessionID === id)) return { state: "requires_action" }
  const isBusy = status.type !== "idle" || Object.values(turns).some(({ sessionID }) => sessionID === id)
  if (isBusy) return { state: "running" }
  switch (ended?.how) {
    case "completed":
      return { state: "idle", stopReason: "end_turn" }
    case "stopped":
      return { state: "idle", stopReason: "cancelled" }
    case "failed":
      // Why it failed stands in the call of the parent.
      return { state: "idle", stopReason: "error" }
    default:
      return { state: "idle" }
  }
}
