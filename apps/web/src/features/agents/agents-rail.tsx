"use client"

import { useTranscript } from "@docket/client/react"
import { hotkeysCoreFeature, type ItemInstance, syncDataLoaderFeature } from "@headless-tree/core"
import { useTree as useHeadlessTree } from "@headless-tree/react"
import { useEffect, useMemo } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { Elapsed } from "../../ui/elapsed.tsx"
import { formatCount } from "../../ui/format-count.ts"
import panel from "../../ui/panel.module.css"
import { statusLabel } from "../../ui/status.ts"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import { Words } from "../../ui/words.tsx"
import { CommentCount } from "../commenting/comment-count.tsx"
import { RetryNote } from "../task/retry-note.tsx"
import type { AgentNode } from "./agent-nodes.ts"
import styles from "./agents.module.css"
import { useAgentNodes } from "./use-agent-nodes.ts"

interface AgentsRailProps {
  rootID: string
  /** The session on screen. */
  current: string
  onOpenSession(sessionID: string): void
}

const treeRoot = "tree"

/** The tree takes no empty item: a session that is gone until the next rebuild has no node. */
interface Entry {
  node: AgentNode | null
}

/** Every session of the tree, live: who works, on what, for how long and at what cost. */
export function AgentsRail({ rootID, current, onOpenSession }: AgentsRailProps) {
  const store = useTranscript(rootID)
  const { nodes, totals } = useAgentNodes(store)
  const expandedItems = useMemo(() => [...nodes.keys()], [nodes])
  const tree = useHeadlessTree<Entry>({
    rootItemId: treeRoot,
    getItemName: (item) => spokenName(item.getItemData().node),
    isItemFolder: (item) => (item.getItemData().node?.children.length ?? 0) > 0,
    dataLoader: {
      getItem: (id) => ({ node: nodes.get(id) ?? null }),
      getChildren: (id) => (id === treeRoot ? [rootID] : (nodes.get(id)?.children ?? [])),
    },
    state: { expandedItems },
    onPrimaryAction: (item) => onOpenSession(item.getId()),
    features: [syncDataLoaderFeature, hotkeysCoreFeature],
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new nodes are the reason to rebuild
  useEffect(() => tree.rebuildTree(), [tree, nodes])
  return (
    <section className={panel.panel} aria-label="Agents">
      <div {...tree.getContainerProps("Agents of this session")} className={styles.tree}>
        {tree.getItems().map((item) => (
          <AgentRow key={item.getKey()} item={item} current={current} onOpen={onOpenSession} />
        ))}
      </div>
      <p className={panel.totals}>
        <span>
          {formatCount(totals.sessions, "session")}
          {totals.running > 0 ? `, ${totals.running} running` : ""}
        </span>
        <CostTokens cost={totals.cost} tokens={totals.tokens} />
      </p>
    </section>
  )
}

interface AgentRowProps {
  item: ItemInstance<Entry>
  current: string
  onOpen(sessionID: string): void
}

function AgentRow({ item, current, onOpen }: AgentRowProps) {
  const { node } = item.getItemData()
  if (node === null) return null
  const { onClick: _, ...props } = item.getProps()
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      {...props}
      // Named by what it shows, status included.
      aria-label={undefined}
      className={styles.row}
      aria-selected={node.id === current}
      aria-current={node.id === current ? "page" : undefined}
      style={{ marginLeft: item.getItemMeta().level * 12, borderLeftColor: agentHue(node.agent) }}
      onClick={() => {
        item.setFocused()
        onOpen(node.id)
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        onOpen(node.id)
      }}
    >
      <span className={styles.head}>
        {node.mark === null ? null : <StatusGlyph status={node.mark} size={13} />}
        <span className={styles.name}>
          <Words text={node.title || "Untitled"} />
        </span>
        <CommentCount id={node.id} />
        <span className={styles.time}>
          {node.startedAt === null ? null : <Elapsed start={node.startedAt} end={node.endedAt} />}
        </span>
      </span>
      <span className={styles.detail}>
        <span className={styles.activity}>
          {node.mark === "needs" ? (
            "Waits for your answer"
          ) : node.retry === null ? (
            (node.current ?? `@${node.agent}`)
          ) : (
            <RetryNote status={node.retry} />
          )}
        </span>
        <span className={styles.figures}>
          <CostTokens cost={node.cost} tokens={node.tokens} />
        </span>
      </span>
    </div>
  )
}

function spokenName(node: AgentNode | null): string {
  return node === null
    ? ""
    : `${node.title || "Untitled"}, ${node.agent}${node.mark === null ? "" : `, ${statusLabel[node.mark]}`}`
}
