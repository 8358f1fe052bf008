"use client"

import type { SessionStatus } from "@docket/core/schema"
import { ArrowDown } from "lucide-react"
import { useCallback, useLayoutEffect, useRef, useState } from "react"
import { formatCount } from "../../ui/format-count.ts"
import type { Waiting } from "../tree/find-waiting.ts"
import { isWaiting } from "./rows/is-waiting.ts"
import { type Row, showsPart } from "./rows/row.ts"
import styles from "./transcript.module.css"
import { TranscriptRow } from "./transcript-row.tsx"
import { useFollow } from "./use-follow.ts"
import { useLinkedPart } from "./use-linked-part.ts"
import { usePaging } from "./use-paging.ts"
import { rowElement, useRowKeys } from "./use-row-keys.ts"
import { useRowVirtualizer } from "./use-row-virtualizer.ts"
import { useUnseen } from "./use-unseen.ts"

export interface VirtualTranscriptProps {
  rows: readonly Row[]
  status: SessionStatus
  waiting: Waiting
  open: ReadonlyMap<string, boolean>
  /** The part that the address names; its row is shown and marked. */
  part: string | null
  /** The message from which on rows are undone. */
  undoneFrom: string | null
  more: { before: boolean; after: boolean }
  loadBefore(): void
  loadAfter(): void
  /** Loads the newest messages when the window is elsewhere. */
  loadLatest(): void
  label: string
}

/** The rows of a transcript, of which only those near the screen exist in the page. */
export function VirtualTranscript(props: VirtualTranscriptProps) {
  const { rows, more, part, loadLatest } = props
  const undoneAt = props.undoneFrom === null ? -1 : rows.findIndex((row) => row.key === props.undoneFrom)
  const scroller = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useFollow(scroller, part === null)
  const [focused, setFocused] = useState<string | null>(null)
  const virtualizer = useRowVirtualizer({ rows, scroller, focused, follow: following, complete: !more.after })

  const reveal = useCallback(
    (index: number, align: "auto" | "center" = "auto") => {
      const row = rows[index]
      if (!row) return
      setFollowing(false)
      setFocused(row.key)
      virtualizer.scrollToIndex(index, { align })
      requestAnimationFrame(() => rowElement(scroller.current, row.key)?.focus({ preventScroll: true }))
    },
    [rows, virtualizer, setFollowing],
  )
  const toLatest = useCallback(() => {
    if (more.after) loadLatest()
    setFollowing(true)
    virtualizer.scrollToEnd()
  }, [more.after, loadLatest, virtualizer, setFollowing])

  useStartAtEnd(rows.length > 0 && part === null, () => virtualizer.scrollToEnd())
  useLinkedPart(rows, part, reveal)
  usePaging(virtualizer.range, props)
  useRowKeys({ rows, scroller, focused, middle: middleIndex(virtualizer.range), reveal })
  const atEnd = following && !more.after
  const unseen = useUnseen(rows, atEnd)
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
          {virtualizer.getVirtualItems().map(({ key, index }) => {
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
      {atEnd ? null : (
        <button type="button" className={styles.latest} onClick={toLatest}>
          <ArrowDown size={14} aria-hidden />
          {unseen > 0 ? formatCount(unseen, "new part") : "Skip to latest"}
        </button>
      )}
    </div>
  )
}

function middleIndex(range: { startIndex: number; endIndex: number } | null): number {
  return range === null ? -1 : Math.floor((range.startIndex + range.endIndex) / 2)
}

/** Opens at the newest row, once, before the first paint with rows. */
function useStartAtEnd(ready: boolean, scrollToEnd: () => void): void {
  const done = useRef(false)
  useLayoutEffect(() => {
    if (!ready || done.current) return
    done.current = true
    scrollToEnd()
  })
}
