"use client"

import { useEffect } from "react"
import type { Row } from "./rows/row.ts"

/** How many rows before the edge of the loaded rows the next page is loaded. */
const pageWithin = 30

export interface Paging {
  rows: readonly Row[]
  more: { before: boolean; after: boolean }
  loadBefore(): void
  loadAfter(): void
}

type Range = { startIndex: number; endIndex: number } | null

/**
 * Loads the next page when the screen is near the first or the last loaded row. `range` is the range of the last
 * render; after a page was added, `rangeNow` says whether the screen is still near the new edge.
 */
export function usePaging(range: Range, rangeNow: () => Range, paging: Paging): void {
  const { rows, more, loadBefore, loadAfter } = paging
  const nearStart = (it: Range) => more.before && it !== null && it.startIndex < pageWithin
  const nearEnd = (it: Range) => more.after && it !== null && it.endIndex > rows.length - pageWithin
  const [start, end] = [nearStart(range), nearEnd(range)]
  const first = rows[0]?.key
  const last = rows.at(-1)?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: an added page moves the edge, which is checked again
  useEffect(() => {
    if (start && nearStart(rangeNow())) loadBefore()
  }, [start, first, loadBefore])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (end && nearEnd(rangeNow())) loadAfter()
  }, [end, last, loadAfter])
}
