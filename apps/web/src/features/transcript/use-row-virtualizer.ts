"use client"

import {
  defaultRangeExtractor,
  elementScroll,
  type Range,
  type ReactVirtualizer,
  useVirtualizer,
} from "@tanstack/react-virtual"
import { type RefObject, useCallback, useState } from "react"
import { estimateHeight } from "./estimate-height.ts"
import { firstBox } from "./first/first-box.ts"
import { firstHeights } from "./first/first-heights.ts"
import { firstOffset } from "./first-offset.ts"
import type { Row } from "./rows/row.ts"
import type { Arrival } from "./use-arrival.ts"

/** Rows kept mounted on each side of the screen. */
const overscan = 6
/** Space above the first and below the last row (px). */
const padding = 24

interface RowVirtualizerOptions {
  rows: readonly Row[]
  scroller: RefObject<HTMLDivElement | null>
  arrival: Arrival
  /** Key of the row that has focus. It stays mounted while it is off the screen. */
  focused: string | null
  /** The reader stays at the end, even when a row grows a lot at once. */
  following: boolean
  /** Called before the list scrolls itself, which may happen several times after rows are measured. */
  onMove(): void
}

/** Lays rows out by measured height, keeps the reader's place when pages are added, and follows the end. */
export function useRowVirtualizer(options: RowVirtualizerOptions): ReactVirtualizer<HTMLDivElement, HTMLElement> {
  const { rows, scroller, arrival, focused, following, onMove } = options
  const pinned = focused === null ? -1 : rows.findIndex((row) => row.key === focused)
  // Heights of the server-rendered rows, by key.
  const [renderedHeights] = useState(firstHeights)
  const [box] = useState(firstBox)
  const heightOf = (row: Row) => renderedHeights.get(row.key) ?? estimateHeight(row)
  return useVirtualizer<HTMLDivElement, HTMLElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => {
      const row = rows[index]
      return row ? heightOf(row) : 0
    },
    // The first rows drawn are those that the reader opens, not the first loaded ones.
    initialRect: box,
    initialOffset: () => firstOffset(rows, arrival, { heightOf, padding, screen: box.height }),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    overscan,
    rangeExtractor: useCallback((range: Range) => withPinned(range, pinned), [pinned]),
    anchorTo: "end",
    followOnAppend: following,
    scrollEndThreshold: following ? Number.POSITIVE_INFINITY : -1,
    paddingStart: padding,
    paddingEnd: padding,
    directDomUpdates: true,
    scrollToFn(offset, how, instance) {
      onMove()
      elementScroll(offset, how, instance)
    },
  })
}

function withPinned(range: Range, pinned: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (pinned < 0 || pinned >= range.count || indexes.includes(pinned)) return indexes
  return [...indexes, pinned].sort((a, b) => a - b)
}
