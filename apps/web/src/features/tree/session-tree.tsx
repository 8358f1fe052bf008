"use client"

import { hotkeysCoreFeature, type ItemInstance, syncDataLoaderFeature } from "@headless-tree/core"
import { useTree as useHeadlessTree } from "@headless-tree/react"
import { type ReactNode, useEffect, useMemo } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import styles from "./session-tree.module.css"

/** What every list of a tree's sessions has for each session. */
interface SessionNode {
  /** Sessions below it, in order. */
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
  /** The text that type-ahead search matches. */
  spokenName(node: Node): string
  /** Content before the title, after it, and in the line below. */
  before(node: Node): ReactNode
  after(node: Node, sessionID: string): ReactNode
  detail(node: Node): ReactNode
  /** Whether its parent cannot continue without the user. */
  isHeld?: (node: Node) => boolean
}

const treeRoot = "tree"

/** The tree library accepts no empty item: a session that was removed before the next rebuild has no node. */
interface Entry<Node> {
  node: Node | null
}

/** The sessions of a tree, each below the session that delegated to it, with keyboard navigation. */
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
  // Empty before the first effect, and on the server.
  const items = tree.getItems()
  return (
    <div {...tree.getContainerProps(props.label)} className={styles.tree}>
      {items.length === 0
        ? nodesBelow(nodes, rootID, 0).map(({ id, node, level }) => (
            <SessionRow key={id} {...props} id={id} node={node} level={level} />
          ))
        : items.map((item) => {
            const { node } = item.getItemData()
            return node === null ? null : (
              <SessionRow
                key={item.getKey()}
                {...props}
                id={item.getId()}
                node={node}
                level={item.getItemMeta().level}
                item={item}
              />
            )
          })}
    </div>
  )
}

/** The sessions from one on, each before those below it. */
function nodesBelow<Node extends SessionNode>(
  nodes: ReadonlyMap<string, Node>,
  id: string,
  level: number,
): { id: string; node: Node; level: number }[] {
  const node = nodes.get(id)
  if (node === undefined) return []
  return [{ id, node, level }, ...node.children.flatMap((child) => nodesBelow(nodes, child, level + 1))]
}

interface SessionRowProps<Node extends SessionNode> extends SessionTreeProps<Node> {
  id: string
  node: Node
  level: number
  /** The props for keyboard navigation, once the tree is ready. */
  item?: ItemInstance<Entry<Node>>
}

function SessionRow<Node extends SessionNode>(props: SessionRowProps<Node>) {
  const { id, node, level, item, current, before, after, detail } = props
  const { onClick: _, ...itemProps } = item?.getProps() ?? {}
  const open = () => props.onOpen(id, node)
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      {...itemProps}
      data-press={id}
      // The visible content is its name, including marks.
      aria-label={undefined}
      className={styles.row}
      data-held={props.isHeld?.(node)}
      aria-selected={id === current}
      aria-current={id === current ? "page" : undefined}
      style={{ marginLeft: level * 12, borderLeftColor: agentHue(node.agent) }}
      onClick={() => {
        item?.setFocused()
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
          <TextWithCode text={node.title || "Untitled"} />
        </span>
        {after(node, id)}
      </span>
      <span className={styles.detail}>{detail(node)}</span>
    </div>
  )
}
