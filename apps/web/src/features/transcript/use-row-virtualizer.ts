"use client"

import { defaultRangeExtractor, type Range, type ReactVirtualizer, useVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useCallback, useEffect, useRef } from "react"
import { estimateHeight } from "./estimate-height.ts"
import type { Row } from "./rows/row.ts"
import { useStayAtEnd } from "./use-stay-at-end.ts"

/** Rows kept mounted on each side of the screen. */
const overscan = 6
/** While following, this near the end counts as at the end (px): rows are measured after they appear. */
const followWithin = 48

interface RowVirtualizerOptions {
  rows: readonly Row[]
  scroller: RefObject<HTMLDivElement | null>
  /** Key of the row that has focus: it stays mounted wherever the screen is. */
  focused: string | null
  /** The reader is at the end and wants to stay there. */
  follow: boolean
  /** The loaded rows reach the newest one. */
  complete: boolean
}

/** Lays rows out by measured height, keeps the reader's place when pages are added, and follows the end. */
export function useRowVirtualizer(options: RowVirtualizerOptions): ReactVirtualizer<HTMLDivElement, HTMLElement> {
  const { rows, scroller, focused, follow, complete } = options
  const pinned = focused === null ? -1 : rows.findIndex((row) => row.key === focused)
  // The page that completes the window must not count as growth that is being followed.
  const wasComplete = useRef(complete)
  useEffect(() => {
    wasComplete.current = complete
  })
  const live = follow && complete && wasComplete.current
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index]
      return row ? estimateHeight(row) : 0
    },
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan,
    rangeExtractor: useCallback((range: Range) => withPinned(range, pinned), [pinned]),
    anchorTo: "end",
    followOnAppend: live,
    scrollEndThreshold: live ? followWithin : -1,
    paddingStart: 24,
    paddingEnd: 24,
    directDomUpdates: true,
  })
  useStayAtEnd(scroller, live, virtualizer)
  return virtualizer
}

function withPinned(range: Range, pinned: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (pinned < 0 || pinned >= range.count || indexes.includes(pinned)) return indexes
  return [...indexes, pinned].sort((a, b) => a - b)
}
