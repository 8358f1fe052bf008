import type { SubagentUpdate } from "@agentclientprotocol/sdk/unstable"
import type { Session, TreeState } from "@docket/client"
import { changedFields } from "./changed-fields.ts"
import type { Frame } from "./frame.ts"
import { subagentUpdate } from "./subagent-update.ts"

/** What an editor knows of child sessions. */
export interface SubagentUpdates {
  /** What is new of a child, for the session above it. */
  tell(child: Session, tree: TreeState): Frame[]
  /** What is told of these before anything that happens in them. */
  announce(chain: readonly Session[], tree: TreeState): Frame[]
}

export function createSubagentUpdates(): SubagentUpdates {
  const told = new Map<string, SubagentUpdate>()

  function tell(child: Session, tree: TreeState): Frame[] {
    const next = subagentUpdate(child, tree)
    const changed = changedFields(told.get(child.id) ?? {}, next)
    if (changed === null || child.parentID === null) return []
    told.set(child.id, next)
    return [
      { sessionId: child.parentID, update: { sessionUpdate: "subagent_update", ...changed, sessionId: child.id } },
    ]
  }

  return {
    tell,
    announce: (chain, tree) => chain.filter(({ id }) => !told.has(id)).flatMap((child) => tell(child, tree)),
  }
}
