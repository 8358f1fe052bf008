"use client"

import { defaultRangeExtractor, type Range, type ReactVirtualizer, useVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useCallback, useState } from "react"
import { estimateHeight } from "./estimate-height.ts"
import { firstHeights } from "./first/first-heights.ts"
import type { Row } from "./rows/row.ts"

/** Rows kept mounted on each side of the screen. */
const overscan = 6

interface RowVirtualizerOptions {
  rows: readonly Row[]
  scroller: RefObject<HTMLDivElement | null>
  /** Key of the row that has focus: it stays mounted wherever the screen is. */
  focused: string | null
  /** The reader stays at the end, however much a row grows at once. */
  following: boolean
}

/** Lays rows out by measured height, keeps the reader's place when pages are added, and follows the end. */
export function useRowVirtualizer(options: RowVirtualizerOptions): ReactVirtualizer<HTMLDivElement, HTMLElement> {
  const { rows, scroller, focused, following } = options
  const pinned = focused === null ? -1 : rows.findIndex((row) => row.key === focused)
  const [known] = useState(firstHeights)
  return useVirtualizer<HTMLDivElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index]
      return row ? (known.get(row.key) ?? estimateHeight(row)) : 0
    },
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan,
    rangeExtractor: useCallback((range: Range) => withPinned(range, pinned), [pinned]),
    anchorTo: "end",
    followOnAppend: following,
    scrollEndThreshold: following ? Number.POSITIVE_INFINITY : -1,
    paddingStart: 24,
    paddingEnd: 24,
    directDomUpdates: true,
  })
}

function withPinned(range: Range, pinned: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (pinned < 0 || pinned >= range.count || indexes.includes(pinned)) return indexes
  return [...indexes, pinned].sort((a, b) => a - b)
}
