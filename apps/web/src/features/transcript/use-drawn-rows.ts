"use client"

import type { VirtualItem } from "@tanstack/react-virtual"
import { useEffect, useRef, useState } from "react"
import { drawMore } from "./draw-rows.ts"

const none: ReadonlySet<VirtualItem["key"]> = new Set()

/**
 * Which of the laid out rows are drawn already. Behind a cover, rows are drawn in steps, so that the page can react in
 * between. Each step is synchronous: in a busy session, changes would restart a concurrent render again and again.
 */
export function useDrawnRows(items: VirtualItem[], covered: boolean): VirtualItem[] {
  const [drawn, setDrawn] = useState(none)
  const latestItems = useRef(items)
  latestItems.current = items
  const missing = covered && items.some(({ key }) => !drawn.has(key))
  useEffect(() => {
    if (!missing) return
    const step = () =>
      setDrawn(
        drawMore(
          drawn,
          latestItems.current.map(({ key }) => key),
        ),
      )
    const timer = setTimeout(step)
    return () => clearTimeout(timer)
  }, [missing, drawn])
  return covered ? items.filter(({ key }) => drawn.has(key)) : items
}
