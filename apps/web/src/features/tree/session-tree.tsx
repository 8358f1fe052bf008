"use client"

import { hotkeysCoreFeature, type ItemInstance, syncDataLoaderFeature } from "@headless-tree/core"
import { useTree as useHeadlessTree } from "@headless-tree/react"
import { type ReactNode, useEffect, useMemo } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { Words } from "../../ui/words.tsx"
import styles from "./session-tree.module.css"

/** What every list of a tree's sessions knows of one. */
interface SessionNode {
  /** Sessions below it, in their order. */
  children: readonly string[]
  title: string
  agent: string
}

interface SessionTreeProps<Node extends SessionNode> {
  label: string
  rootID: string
  /** The sessions by id. */
  nodes: ReadonlyMap<string, Node>
  /** The session on screen. */
  current: string | null
  onOpen(sessionID: string, node: Node): void
  /** What is typed to find a row. */
  spokenName(node: Node): string
  /** Before the title, after it, and in the line below. */
  before(node: Node): ReactNode
  after(node: Node, sessionID: string): ReactNode
  detail(node: Node): ReactNode
  /** Its parent cannot go on without the reader. */
  isHeld?: (node: Node) => boolean
}

const treeRoot = "tree"

/** The tree takes no empty item: a session that is gone until the next rebuild has no node. */
interface Entry<Node> {
  node: Node | null
}

/** The sessions of a tree, each below the one that delegated to it; keys go through them. */
export function SessionTree<Node extends SessionNode>(props: SessionTreeProps<Node>) {
  const { nodes, rootID } = props
  const expandedItems = useMemo(() => [...nodes.keys()], [nodes])
  const tree = useHeadlessTree<Entry<Node>>({
    rootItemId: treeRoot,
    getItemName: (item) => {
      const { node } = item.getItemData()
      return node === null ? "" : props.spokenName(node)
    },
    isItemFolder: (item) => (item.getItemData().node?.children.length ?? 0) > 0,
    dataLoader: {
      getItem: (id) => ({ node: nodes.get(id) ?? null }),
      getChildren: (id) => (id === treeRoot ? [rootID] : [...(nodes.get(id)?.children ?? [])]),
    },
    state: { expandedItems },
    onPrimaryAction: (item) => {
      const { node } = item.getItemData()
      if (node !== null) props.onOpen(item.getId(), node)
    },
    features: [syncDataLoaderFeature, hotkeysCoreFeature],
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new nodes are the reason to rebuild
  useEffect(() => tree.rebuildTree(), [tree, nodes])
  return (
    <div {...tree.getContainerProps(props.label)} className={styles.tree}>
      {tree.getItems().map((item) => (
        <SessionRow key={item.getKey()} {...props} item={item} />
      ))}
    </div>
  )
}

function SessionRow<Node extends SessionNode>(props: SessionTreeProps<Node> & { item: ItemInstance<Entry<Node>> }) {
  const { item, current, before, after, detail } = props
  const { node } = item.getItemData()
  if (node === null) return null
  const { onClick: _, ...itemProps } = item.getProps()
  const id = item.getId()
  const open = () => props.onOpen(id, node)
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      {...itemProps}
      // Named by what it shows, marks included.
      aria-label={undefined}
      className={styles.row}
      data-held={props.isHeld?.(node)}
      aria-selected={id === current}
      aria-current={id === current ? "page" : undefined}
      style={{ marginLeft: item.getItemMeta().level * 12, borderLeftColor: agentHue(node.agent) }}
      onClick={() => {
        item.setFocused()
        open()
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        open()
      }}
    >
      <span className={styles.head}>
        {before(node)}
        <span className={styles.name}>
          <Words text={node.title || "Untitled"} />
        </span>
        {after(node, id)}
      </span>
      <span className={styles.detail}>{detail(node)}</span>
    </div>
  )
}
