"use client"

import { useEffect, useRef } from "react"
import type { Row } from "./rows/row.ts"
import { countAfter, newestKey } from "./unseen.ts"

/** How many rows arrived since the reader left the end. */
export function useUnseen(rows: readonly Row[], atEnd: boolean): number {
  const seen = useRef<string | null>(null)
  const newest = newestKey(rows)
  useEffect(() => {
    if (atEnd || seen.current === null) seen.current = newest
  }, [atEnd, newest])
  return atEnd ? 0 : countAfter(rows, seen.current)
}
