"use client"

import { totalTokens } from "@docket/core/usage"
import { hotkeysCoreFeature, type ItemInstance, syncDataLoaderFeature } from "@headless-tree/core"
import { useTree as useHeadlessTree } from "@headless-tree/react"
import { useEffect, useMemo } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { Elapsed } from "../../ui/elapsed.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { statusLabel } from "../../ui/status.ts"
import { StatusGlyph } from "../../ui/status-glyph.tsx"
import { Words } from "../../ui/words.tsx"
import { CommentCount } from "../commenting/comment-count.tsx"
import { VerdictMark } from "../review/verdict-mark.tsx"
import { markLabel } from "../review/verdict-words.ts"
import type { ReviewRow, ReviewRows } from "./review-rows.ts"
import { reviewedCount } from "./review-rows.ts"
import styles from "./task-tree.module.css"

interface TaskTreeProps {
  rootID: string
  rows: ReviewRows
  /** The session that the reader looks at. */
  current: string | null
  onOpen(row: ReviewRow): void
}

const treeRoot = "tree"

/** The tree takes no empty item: a session that is gone until the next rebuild has no row. */
interface Entry {
  row: ReviewRow | null
}

/** Everything that was delegated, with what people say of it beside how it ran. */
export function TaskTree({ rootID, rows, current, onOpen }: TaskTreeProps) {
  const expandedItems = useMemo(() => [...rows.keys()], [rows])
  const tree = useHeadlessTree<Entry>({
    rootItemId: treeRoot,
    getItemName: (item) => spokenName(item.getItemData().row),
    isItemFolder: (item) => (item.getItemData().row?.children.length ?? 0) > 0,
    dataLoader: {
      getItem: (id) => ({ row: rows.get(id) ?? null }),
      getChildren: (id) => (id === treeRoot ? [rootID] : (rows.get(id)?.children ?? [])),
    },
    state: { expandedItems },
    onPrimaryAction: (item) => {
      const { row } = item.getItemData()
      if (row !== null) onOpen(row)
    },
    features: [syncDataLoaderFeature, hotkeysCoreFeature],
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows are the reason to rebuild
  useEffect(() => tree.rebuildTree(), [tree, rows])
  return (
    <div {...tree.getContainerProps("Tasks to review")} className={styles.tree}>
      {tree.getItems().map((item) => (
        <TaskItem key={item.getKey()} item={item} current={current} onOpen={onOpen} />
      ))}
    </div>
  )
}

/** "4 of 9 reviewed", in words and as a bar. */
export function ReviewProgress({ rows }: { rows: ReviewRows }) {
  const { reviewed, total } = reviewedCount(rows)
  if (total === 0) return null
  return (
    <p className={styles.progress}>
      <span>
        {reviewed} of {total} reviewed
      </span>
      <progress className={styles.bar} value={reviewed} max={total} aria-label="Tasks reviewed" />
    </p>
  )
}

interface TaskItemProps {
  item: ItemInstance<Entry>
  current: string | null
  onOpen(row: ReviewRow): void
}

function TaskItem({ item, current, onOpen }: TaskItemProps) {
  const { row } = item.getItemData()
  if (row === null) return null
  const { onClick: _, ...props } = item.getProps()
  const isCurrent = row.sessionID === current
  const held = row.task?.state === "awaiting_review"
  return (
    <div
      role="treeitem"
      tabIndex={-1}
      {...props}
      // Named by what it shows, marks included.
      aria-label={undefined}
      className={styles.row}
      data-held={held}
      aria-selected={isCurrent}
      aria-current={isCurrent ? "page" : undefined}
      style={{ marginLeft: item.getItemMeta().level * 12, borderLeftColor: agentHue(row.agent) }}
      onClick={() => {
        item.setFocused()
        onOpen(row)
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        onOpen(row)
      }}
    >
      <span className={styles.head}>
        {row.task === null ? null : <VerdictMark mark={row.review.mark} />}
        <span className={styles.name}>
          <Words text={row.title || "Untitled"} />
        </span>
        <CommentCount id={row.sessionID} />
        {row.status === null ? null : <StatusGlyph status={row.status} size={13} />}
      </span>
      <span className={styles.detail}>
        {held ? <span className={styles.held}>Its parent waits for this review</span> : <RowFigures row={row} />}
      </span>
    </div>
  )
}

function RowFigures({ row: { task, agent, attempts, review } }: { row: ReviewRow }) {
  if (task === null) return <span className={styles.agent}>@{agent}</span>
  const { started, ended } = task.time
  const newParts = review.viewed?.newParts ?? 0
  return (
    <>
      <span className={styles.agent}>
        #{task.number} @{agent}
      </span>
      {attempts.length > 1 ? <span>{formatCount(attempts.length, "attempt")}</span> : null}
      {newParts > 0 ? <span className={styles.news}>{newParts} new</span> : null}
      <span className={styles.figures}>
        {started === null ? null : <Elapsed start={started} end={ended} />}
        <CostTokens cost={task.usage.cost} tokens={totalTokens(task.usage.tokens)} />
      </span>
    </>
  )
}

function spokenName(row: ReviewRow | null): string {
  if (row === null) return ""
  const status = row.status === null ? [] : [statusLabel[row.status]]
  return [
    row.title || "Untitled",
    row.agent,
    ...(row.task === null ? [] : [markLabel[row.review.mark]]),
    ...status,
  ].join(", ")
}
