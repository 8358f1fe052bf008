"use client"

import type { SessionStatus } from "@docket/core/schema"
import { ArrowDown } from "lucide-react"
import { useMemo, useRef } from "react"
import { formatCount } from "../../ui/format-count.ts"
import type { Waiting } from "../tree/find-waiting.ts"
import { outlineOf, readingLine } from "./outline.ts"
import { PromptOutline } from "./prompt-outline.tsx"
import { isWaiting } from "./rows/is-waiting.ts"
import { firstUndoneRow, type Row, showsPart } from "./rows/row.ts"
import styles from "./transcript.module.css"
import { TranscriptRow } from "./transcript-row.tsx"
import type { Visit } from "./use-arrival.ts"
import { useDrawnRows } from "./use-drawn-rows.ts"
import { useMarkRead } from "./use-mark-read.ts"
import { useReading } from "./use-reading.ts"
import { useTakeOver } from "./use-take-over.ts"
import { useUnseen } from "./use-unseen.ts"

export interface VirtualTranscriptProps {
  rows: readonly Row[]
  status: SessionStatus
  waiting: Waiting
  /** Whether a row is unfolded, by its key. */
  open: ReadonlyMap<string, boolean>
  /** The part named in the address; its row is shown and highlighted. */
  part: string | null
  /** How the reader entered the transcript. */
  visit: Visit
  /** Number of prompts that were sent from this page. Each one brings the reader to the end. */
  sentPrompts: number
  /** When the session ended (epoch ms); null when the reader has seen that. */
  unread: number | null
  markRead(at: number): void
  /** The first undone message. */
  undoneFrom: string | null
  /** Whether there are messages before and after the loaded ones. */
  more: { before: boolean; after: boolean }
  loadBefore(): void
  loadAfter(): void
  /** Loads the newest messages if the window does not include them. */
  loadLatest(): void
  label: string
  /** Called when the rows are drawn, to remove what covers them. */
  onDrawn?: (() => void) | undefined
}

/** The rows of a transcript. Only those near the screen are in the DOM. */
export function VirtualTranscript(props: VirtualTranscriptProps) {
  const { rows, more, part, onDrawn } = props
  // The rows that the server rendered still cover these.
  const covered = onDrawn !== undefined
  const undoneAt = props.undoneFrom === null ? -1 : firstUndoneRow(rows, props.undoneFrom)
  const scroller = useRef<HTMLDivElement>(null)
  const reading = useReading({ ...props, covered }, scroller)
  const { virtualizer, focused, setFocused, following, atEnd, reveal, toLatest, goElsewhere } = reading
  const laidOut = virtualizer.getVirtualItems()
  const items = useDrawnRows(laidOut, covered)
  const drawn = items.length > 0 && items.length === laidOut.length
  useTakeOver({ rows, scroller, virtualizer, drawn, following, goElsewhere, onDrawn })
  const unseen = useUnseen(rows, atEnd)
  useMarkRead(covered ? null : props.unread, atEnd, props.markRead)
  const outline = useMemo(() => outlineOf(rows), [rows])
  const tabStop = rows.some((row) => row.key === focused) ? focused : rows.at(-1)?.key

  return (
    <div className={styles.frame}>
      <div ref={scroller} className={styles.scroller}>
        <div
          ref={virtualizer.containerRef}
          role="feed"
          aria-label={props.label}
          aria-busy={props.status.type === "busy"}
          className={styles.feed}
        >
          {items.map(({ key, index }) => {
            const row = rows[index]
            if (!row) return null
            return (
              <TranscriptRow
                key={key}
                row={row}
                index={index}
                position={more.before ? null : index + 1}
                setSize={more.before || more.after ? -1 : rows.length}
                open={props.open.get(row.key)}
                waiting={isWaiting(row, props.waiting)}
                status={row.kind === "retry" ? props.status : null}
                linked={part !== null && showsPart(row, part)}
                undone={undoneAt >= 0 && index >= undoneAt}
                tabStop={row.key === tabStop}
                measure={virtualizer.measureElement}
                onFocus={setFocused}
              />
            )
          })}
        </div>
      </div>
      <PromptOutline outline={outline} at={readIndex(virtualizer)} onGo={(index) => reveal(index, "start")} />
      {atEnd ? null : (
        <button type="button" className={styles.latest} onClick={toLatest}>
          <ArrowDown size={14} aria-hidden />
          {unseen > 0 ? formatCount(unseen, "new part") : "Skip to latest"}
        </button>
      )}
    </div>
  )
}

/** The row at the line where the reader is taken to read. */
function readIndex(virtualizer: ReturnType<typeof useReading>["virtualizer"]): number {
  const top = virtualizer.scrollOffset ?? 0
  const line = readingLine({ top, height: virtualizer.getTotalSize(), client: virtualizer.scrollRect?.height ?? 0 })
  return virtualizer.getVirtualItemForOffset(line)?.index ?? 0
}
