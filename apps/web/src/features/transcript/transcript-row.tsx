"use client"

import type { SessionStatus } from "@docket/core/schema"
import { memo } from "react"
import type { Row } from "./rows/row.ts"
import { rowLabel } from "./rows/row-label.ts"
import { RowTools } from "./rows/row-tools.tsx"
import { RowView } from "./rows/row-view.tsx"
import styles from "./transcript.module.css"

interface TranscriptRowProps {
  row: Row
  index: number
  /** 1-based place in the transcript; null while earlier messages are not loaded. */
  position: number | null
  /** Total number of rows; -1 while not all are loaded. */
  setSize: number
  /** Whether the reader unfolded the row; undefined when they left it as it was. */
  open: boolean | undefined
  /** What the row shows waits for the user. */
  waiting: boolean
  /** The status of the session, for a row of retries; null for all others. */
  status: SessionStatus | null
  /** The address points to this row. */
  linked: boolean
  /** The row is undone but still shown. */
  undone: boolean
  /** The Tab key stops here. */
  tabStop: boolean
  measure(element: HTMLElement | null): void
  onFocus(key: string): void
}

/** A row as an article of the feed: labelled, focusable, measured, with its time and a link to its part. */
export const TranscriptRow = memo(function TranscriptRow(props: TranscriptRowProps) {
  const { row } = props
  return (
    <article
      ref={props.measure}
      data-index={props.index}
      data-row={row.key}
      data-kind={row.kind}
      data-linked={props.linked}
      data-undone={props.undone}
      className={styles.row}
      aria-posinset={props.position ?? undefined}
      aria-setsize={props.setSize}
      aria-label={rowLabel(row)}
      tabIndex={props.tabStop ? 0 : -1}
      onFocus={() => props.onFocus(row.key)}
    >
      <RowView row={row} open={props.open} waiting={props.waiting} status={props.status} />
      <RowTools row={row} />
    </article>
  )
})
