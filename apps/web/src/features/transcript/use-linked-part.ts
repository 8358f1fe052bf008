"use client"

import { useLayoutEffect, useRef } from "react"
import { type Row, showsPart } from "./rows/row.ts"

/** Shows the row of the part in the address when it has been loaded, once for each part. */
export function useLinkedPart(
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
