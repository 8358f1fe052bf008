"use client"

import type { VirtualItem } from "@tanstack/react-virtual"
import { useEffect, useRef, useState } from "react"
import { drawMore } from "./draw-rows.ts"

const none: ReadonlySet<VirtualItem["key"]> = new Set()

/**
 * Which of the rows that are laid out are drawn by now. Behind what covers them they come in steps, between which the page
 * answers its reader. Each step is drawn in one go: a session at work changes the page more often than React would need to
 * draw them all in a render that any change begins anew.
 */
export function useDrawnRows(items: VirtualItem[], covered: boolean): VirtualItem[] {
  const [drawn, setDrawn] = useState(none)
  const wanted = useRef(items)
  wanted.current = items
  const missing = covered && items.some(({ key }) => !drawn.has(key))
  useEffect(() => {
    if (!missing) return
    const step = () =>
      setDrawn(
        drawMore(
          drawn,
          wanted.current.map(({ key }) => key),
        ),
      )
    const timer = setTimeout(step)
    return () => clearTimeout(timer)
  }, [missing, drawn])
  return covered ? items.filter(({ key }) => drawn.has(key)) : items
}
