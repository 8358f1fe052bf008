"use client"

import type { TreeStore } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import { useMemo } from "react"
import { useAwaitedHost } from "../../shell/awaited-trees.ts"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import { type AgentNode, agentNodes, agentSources, type TreeTotals, treeTotals } from "./agent-nodes.ts"

const none = { nodes: new Map<string, AgentNode>(), totals: { sessions: 0, running: 0, tokens: 0, cost: 0 } }

/** The nodes of a tree, computed again only when something they show has changed. */
export function useAgentNodes(store: TreeStore): { nodes: Map<string, AgentNode>; totals: TreeTotals } {
  const sources = useStableTreeState(store, (view) => agentSources(view.tree))
  const isAway = useAwaitedHost(useTreeState(store, (view) => view.tree?.rootID)) !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sources` stands for the part of the tree that is read
  return useMemo(() => {
    const { tree } = store.get()
    return tree === null ? none : { nodes: agentNodes(tree, isAway), totals: treeTotals(tree) }
  }, [store, sources, isAway])
}
