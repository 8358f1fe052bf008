"use client"

import { ChevronDown, ChevronRight } from "lucide-react"
import type { KeyboardEvent, MouseEvent } from "react"
import { useState } from "react"
import { useGo } from "../../shell/use-go.ts"
import { PrivateLock } from "../../ui/private-lock.tsx"
import { RelativeTime } from "../../ui/relative-time.tsx"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import { SessionMenu } from "../session-menu/session-menu.tsx"
import { type RetryStatus, retryText } from "../task/retry-text.ts"
import type { RailNode } from "./rail-nodes.ts"
import styles from "./session-rail.module.css"
import { useRailTree } from "./use-rail-tree.ts"

/** The sessions of the rail as a tree. `current` is the session on screen. */
export function SessionTree(props: { nodes: Map<string, RailNode>; current: string | null; onNavigate: () => void }) {
  const go = useGo()
  const tree = useRailTree(props.nodes, (node) => {
    if (!node.href) return
    go(node.href)
    props.onNavigate()
  })
  const [menuFor, setMenuFor] = useState<string | null>(null)
  return (
    <div {...tree.getContainerProps("Sessions")} className={styles.tree}>
      {tree.getItems().map((item) => {
        const node = item.getItemData()
        if (node.id === "") return null
        // The visible content of the row is its name.
        const { onClick: _, "aria-label": _name, ...rest } = item.getProps()
        const level = item.getItemMeta().level
        const toggle = () => (item.isExpanded() ? item.collapse() : item.expand())
        const activate = () => {
          item.setFocused()
          if (node.kind === "project") toggle()
          else item.primaryAction()
        }
        return (
          <div
            tabIndex={-1}
            {...rest}
            role="treeitem"
            key={item.getKey()}
            className={styles.row}
            data-kind={node.kind}
            data-session={node.session?.id}
            aria-current={node.id === props.current ? "page" : undefined}
            aria-selected={node.id === props.current}
            style={{ paddingLeft: 8 + Math.max(0, level - 1) * 14 }}
            onClick={(event) => {
              if (isOnRow(event)) activate()
            }}
            onContextMenu={(event: MouseEvent) => {
              if (!node.session) return
              event.preventDefault()
              setMenuFor(node.id)
            }}
            onKeyDown={(event: KeyboardEvent) => {
              if (event.target !== event.currentTarget) return
              if (event.key !== "Enter" && event.key !== " ") return
              event.preventDefault()
              activate()
            }}
          >
            <Fold foldable={item.isFolder()} expanded={item.isExpanded()} kind={node.kind} onToggle={toggle} />
            <RowBody node={node} />
            {node.session ? (
              <span className={styles.actions} data-row-actions data-open={menuFor === node.id || undefined}>
                <SessionMenu
                  session={node.session}
                  tabIndex={-1}
                  size={22}
                  opened={menuFor === node.id}
                  onChange={(opened) => setMenuFor(opened ? node.id : null)}
                />
              </span>
            ) : null}
          </div>
        )
      })}
    </div>
  )
}

/** False for clicks in the row's menu: React passes them to the row even if the menu is rendered elsewhere. */
function isOnRow(event: MouseEvent<HTMLElement>): boolean {
  const { target, currentTarget } = event
  return target instanceof Element && currentTarget.contains(target) && target.closest("[data-row-actions]") === null
}

function Fold(props: { foldable: boolean; expanded: boolean; kind: RailNode["kind"]; onToggle: () => void }) {
  if (!props.foldable) return <span className={styles.fold} />
  const Icon = props.expanded ? ChevronDown : ChevronRight
  return (
    <span
      aria-hidden
      className={styles.fold}
      onClick={(event) => {
        event.stopPropagation()
        props.onToggle()
      }}
    >
      <Icon size={12} />
    </span>
  )
}

function RowBody({ node }: { node: RailNode }) {
  if (!node.href)
    return (
      <>
        <span className={styles.project}>{node.name}</span>
        {node.needsYou > 0 ? <NeedsYou count={node.needsYou} /> : null}
      </>
    )
  return (
    <>
      <a
        href={node.href}
        tabIndex={-1}
        className={styles.title}
        onClick={(event) => {
          // A modified click opens a new tab, as with any link; a plain click is handled by the row.
          if (event.metaKey || event.ctrlKey || event.shiftKey) event.stopPropagation()
          else event.preventDefault()
        }}
      >
        {node.name}
      </a>
      {node.session ? <PrivateLock session={node.session} /> : null}
      <span className={styles.mark}>
        {node.needsYou > 0 ? (
          <NeedsYou count={node.needsYou} />
        ) : node.retry !== null && node.status === "running" ? (
          <Retry status={node.retry} />
        ) : node.status ? (
          <StatusGlyph status={node.status} size={13} />
        ) : node.updated !== null ? (
          <span className={styles.time}>
            <RelativeTime time={node.updated} />
          </span>
        ) : null}
      </span>
    </>
  )
}

/** Rows are narrow: only the number of the next attempt is shown, the rest on hover. */
function Retry({ status }: { status: RetryStatus }) {
  return (
    <span className={styles.retry} title={`${retryText(status, Date.now())}: ${status.message}`}>
      retry {status.attempt + 1}
      <StatusGlyph status="running" label="" size={13} />
    </span>
  )
}

function NeedsYou({ count }: { count: number }) {
  return (
    <span className={styles.badge} title="Needs you">
      {count}
      <span className="visually-hidden"> waiting for you</span>
    </span>
  )
}
