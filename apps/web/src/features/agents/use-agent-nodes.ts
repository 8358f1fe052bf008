"use client"

import type { TreeStore } from "@docket/client"
import { useMemo } from "react"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import { type AgentNode, agentNodes, agentSources } from "./agent-nodes.ts"

/** The nodes of a tree, made again only when something that they show has changed. */
export function useAgentNodes(store: TreeStore): Map<string, AgentNode> {
  const sources = useStableTreeState(store, (view) => agentSources(view.tree))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sources` stands for the part of the tree that is read
  return useMemo(() => {
    const { tree } = store.get()
    return tree === null ? new Map() : agentNodes(tree)
  }, [store, sources])
}
