"use client"

import type { SessionStatus } from "@docket/core/schema"
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual"
import { ArrowDown } from "lucide-react"
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import { useKeys } from "../keyboard/use-keys.ts"
import { estimateHeight } from "./estimate-height.ts"
import { formatCount } from "./format-count.ts"
import { isError, isStop, nextRow } from "./move-in-rows.ts"
import { linkedPart, type Row, showsPart } from "./rows/row.ts"
import { rowLabel } from "./rows/row-label.ts"
import { RowView } from "./rows/row-view.tsx"
import { useTranscriptActions } from "./rows/transcript-actions.ts"
import styles from "./transcript.module.css"
import { useFollow } from "./use-follow.ts"
import { isWaiting, type Waiting } from "./waiting-calls.ts"

/** Rows kept mounted beyond the screen, and how near the edge the next page is asked for. */
const overscan = 6
const pageWithin = 30

export interface VirtualTranscriptProps {
  rows: readonly Row[]
  status: SessionStatus
  waiting: Waiting
  open: ReadonlyMap<string, boolean>
  /** The part that the address names; its row is shown and marked. */
  part: string | null
  more: { before: boolean; after: boolean }
  loadBefore(): void
  loadAfter(): void
  /** Loads the newest messages when the window is elsewhere. */
  loadLatest(): void
  label: string
}

/** The rows of a transcript, of which only those near the screen exist in the page. */
export function VirtualTranscript(props: VirtualTranscriptProps) {
  const { rows, more, part } = props
  const actions = useTranscriptActions()
  const scroller = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useFollow(scroller, part === null)
  const [focused, setFocused] = useState<string | null>(null)
  const focusedIndex = focused === null ? -1 : rows.findIndex((row) => row.key === focused)
  // The page that completes the window must not count as growth of a transcript that is being followed.
  const wasComplete = usePrevious(!more.after)
  const live = following && !more.after && wasComplete === true

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(rows[index] as Row),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan,
    rangeExtractor: useCallback((range: Range) => withPinned(range, focusedIndex), [focusedIndex]),
    anchorTo: "end",
    followOnAppend: live,
    scrollEndThreshold: live ? 48 : -1,
    paddingStart: 24,
    paddingEnd: 24,
    directDomUpdates: true,
  })

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
    if (more.after) props.loadLatest()
    setFollowing(true)
    virtualizer.scrollToEnd()
  }, [more.after, props.loadLatest, virtualizer, setFollowing])

  useStartAtEnd(rows.length > 0 && part === null, () => virtualizer.scrollToEnd())
  useLinkedPart(rows, part, reveal)
  usePaging(virtualizer.range, props)
  const unseen = useUnseen(rows, following && !more.after)

  const step = (direction: 1 | -1, test: (row: Row) => boolean) => {
    const from = focusedIndex >= 0 ? focusedIndex : middleIndex(virtualizer.range)
    const next = nextRow(rows, from, direction, test)
    if (next !== null) reveal(next)
  }
  const current = rows[focusedIndex]
  const currentPart = current ? linkedPart(current) : null
  useKeys({
    j: () => step(1, isStop),
    k: () => step(-1, isStop),
    "]": () => step(1, isError),
    "[": () => step(-1, isError),
    o: () => activate(rowElement(scroller.current, focused)),
    y: () => currentPart !== null && void actions.copyLink(currentPart),
  })

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
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (!row) return null
            return (
              <article
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                data-row={row.key}
                data-linked={part !== null && showsPart(row, part)}
                className={styles.row}
                aria-posinset={more.before ? undefined : item.index + 1}
                aria-setsize={more.before || more.after ? -1 : rows.length}
                aria-label={rowLabel(row)}
                tabIndex={row.key === focused || (focused === null && item.index === rows.length - 1) ? 0 : -1}
                onFocus={() => setFocused(row.key)}
              >
                <RowView
                  row={row}
                  open={props.open.get(row.key)}
                  waiting={isWaiting(row, props.waiting)}
                  status={row.kind === "retry" ? props.status : null}
                />
              </article>
            )
          })}
        </div>
      </div>
      {following && !more.after ? null : (
        <button type="button" className={styles.latest} onClick={toLatest}>
          <ArrowDown size={14} aria-hidden />
          {unseen > 0 ? formatCount(unseen, "new part") : "Skip to latest"}
        </button>
      )}
    </div>
  )
}

function withPinned(range: Range, pinned: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (pinned < 0 || pinned >= range.count || indexes.includes(pinned)) return indexes
  return [...indexes, pinned].sort((a, b) => a - b)
}

function rowElement(scroller: HTMLElement | null, key: string | null): HTMLElement | null {
  return key === null ? null : (scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null)
}

/** Presses the row's own button: opens its body, or the child session of a task. */
function activate(row: HTMLElement | null): void {
  row?.querySelector<HTMLButtonElement>("button:not(:disabled)")?.click()
}

function middleIndex(range: { startIndex: number; endIndex: number } | null): number {
  return range === null ? -1 : Math.floor((range.startIndex + range.endIndex) / 2)
}

function usePrevious<T>(value: T): T | null {
  const held = useRef<T | null>(null)
  useEffect(() => {
    held.current = value
  })
  return held.current
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

/** Shows the row of the part in the address when it has been loaded, once for each part. */
function useLinkedPart(
  rows: readonly Row[],
  part: string | null,
  reveal: (index: number, align: "center") => void,
): void {
  const shown = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (part === null || shown.current === part) return
    const index = rows.findIndex((row) => showsPart(row, part))
    if (index < 0) return
    shown.current = part
    reveal(index, "center")
  }, [rows, part, reveal])
}

function usePaging(range: { startIndex: number; endIndex: number } | null, props: VirtualTranscriptProps): void {
  const { rows, more, loadBefore, loadAfter } = props
  const nearStart = more.before && range !== null && range.startIndex < pageWithin
  const nearEnd = more.after && range !== null && range.endIndex > rows.length - pageWithin
  const first = rows[0]?.key
  const last = rows.at(-1)?.key
  // The edge row is a dependency: a page that was added makes the same edge ask again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (nearStart) loadBefore()
  }, [nearStart, first, loadBefore])
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (nearEnd) loadAfter()
  }, [nearEnd, last, loadAfter])
}

/** Rows that came since the reader left the end. */
function useUnseen(rows: readonly Row[], atEnd: boolean): number {
  const seen = useRef<string | null>(null)
  const last = rows.at(-1)?.key ?? null
  useEffect(() => {
    if (atEnd || seen.current === null) seen.current = last
  }, [atEnd, last])
  if (atEnd || seen.current === null) return 0
  const index = rows.findIndex((row) => row.key === seen.current)
  return index < 0 ? 0 : rows.length - 1 - index
}
