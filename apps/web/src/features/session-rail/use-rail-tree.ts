"use client"

import { hotkeysCoreFeature, syncDataLoaderFeature, type TreeInstance } from "@headless-tree/core"
import { useTree } from "@headless-tree/react"
import { useEffect, useMemo, useState } from "react"
import { type RailNode, railRoot, spokenName } from "./rail-nodes.ts"

/** Stands for a node that has left the list while the tree still asks for it. */
const gone: RailNode = {
  id: "",
  kind: "session",
  name: "",
  children: [],
  href: null,
  status: null,
  retry: null,
  needsYou: 0,
  updated: null,
  session: null,
}

/** The rail as an APG tree: arrow keys, Home and End, Enter. All nodes start unfolded. */
export function useRailTree(nodes: Map<string, RailNode>, onOpen: (node: RailNode) => void): TreeInstance<RailNode> {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [focusedItem, setFocusedItem] = useState<string | null>(null)
  const expandedItems = useMemo(
    () => [...nodes.values()].filter((node) => node.children.length > 0 && !folded.has(node.id)).map((node) => node.id),
    [nodes, folded],
  )
  const tree = useTree<RailNode>({
    rootItemId: railRoot,
    getItemName: (item) => spokenName(item.getItemData()),
    isItemFolder: (item) => item.getItemData().children.length > 0,
    dataLoader: {
      getItem: (id) => nodes.get(id) ?? gone,
      getChildren: (id) => nodes.get(id)?.children ?? [],
    },
    state: { expandedItems, focusedItem },
    setExpandedItems: (update) => {
      const next = new Set(typeof update === "function" ? update(expandedItems) : update)
      setFolded(new Set([...nodes.keys()].filter((id) => (nodes.get(id)?.children.length ?? 0) > 0 && !next.has(id))))
    },
    setFocusedItem,
    onPrimaryAction: (item) => onOpen(item.getItemData()),
    features: [syncDataLoaderFeature, hotkeysCoreFeature],
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new nodes or folds are the reason to rebuild
  useEffect(() => tree.rebuildTree(), [tree, nodes, expandedItems])
  return tree
}
