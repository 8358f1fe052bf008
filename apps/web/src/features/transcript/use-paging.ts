"use client"

import { useEffect } from "react"
import type { Row } from "./rows/row.ts"

/** How near the edge of the loaded rows the next page is asked for. */
const pageWithin = 30

export interface Paging {
  rows: readonly Row[]
  more: { before: boolean; after: boolean }
  loadBefore(): void
  loadAfter(): void
}

/** Asks for the next page when the screen comes near the first or the last loaded row. */
export function usePaging(range: { startIndex: number; endIndex: number } | null, paging: Paging): void {
  const { rows, more, loadBefore, loadAfter } = paging
  const nearStart = more.before && range !== null && range.startIndex < pageWithin
  const nearEnd = more.after && range !== null && range.endIndex > rows.length - pageWithin
  const first = rows[0]?.key
  const last = rows.at(-1)?.key
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that was added makes the new edge ask again
  useEffect(() => {
    if (nearStart) loadBefore()
  }, [nearStart, first, loadBefore])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (nearEnd) loadAfter()
  }, [nearEnd, last, loadAfter])
}
