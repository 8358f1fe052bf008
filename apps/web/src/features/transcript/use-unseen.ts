"use client"

import { useEffect, useRef } from "react"
import type { Row } from "./rows/row.ts"

/** How many rows came since the reader left the end. */
export function useUnseen(rows: readonly Row[], atEnd: boolean): number {
  const seen = useRef<string | null>(null)
  const last = rows.at(-1)?.key ?? null
  useEffect(() => {
    if (atEnd || seen.current === null) seen.current = last
  }, [atEnd, last])
  if (atEnd || seen.current === null) return 0
  const index = rows.findIndex((row) => row.key === seen.current)
  return index < 0 ? 0 : rows.length - 1 - index
}
