import type { Session } from "../schema/index.ts"
import { addUsage, noUsage, type Usage } from "./token-usage.ts"

/** What sessions of one tree used. */
export interface TreeUsage {
  /** All of them, the root among them. */
  whole: Usage
  /** A session with everything below it. */
  subtree(sessionID: string): Usage
}

/**
 * The one arithmetic for tokens and cost: sessions hold their own, every sum is a sum over sessions. What a nested task
 * used lies in its session alone, so it counts once. One whose parent is not there counts for the whole.
 */
export function treeUsage(sessions: Iterable<Pick<Session, "id" | "parentID" | "cost" | "tokens">>): TreeUsage {
  const children = new Map<string | null, UsageNode[]>()
  const nodes = new Map<string, UsageNode>()
  let whole = noUsage
  for (const { id, parentID, cost, tokens } of sessions) {
    const node = { id, own: { cost, tokens } }
    nodes.set(id, node)
    const siblings = children.get(parentID)
    if (siblings) siblings.push(node)
    else children.set(parentID, [node])
    whole = addUsage(whole, node.own)
  }
  const sum = ({ id, own }: UsageNode): Usage =>
    (children.get(id) ?? []).reduce((total, child) => addUsage(total, sum(child)), own)
  return {
    whole,
    subtree(sessionID) {
      const node = nodes.get(sessionID)
      return node === undefined ? noUsage : sum(node)
    },
  }
}

interface UsageNode {
  id: string
  own: Usage
}
