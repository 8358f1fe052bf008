"use client"

import { type RefObject, useLayoutEffect, useState } from "react"
import { atEndWithin, distanceToEnd } from "./follow.ts"
import { geometry } from "./use-follow.ts"

/** The newest row counts as off the screen from here on (px): more than the space under it. */
const awayBeyond = 32

/**
 * Keeps a followed transcript at its end whatever changes its height: rows, and what takes room from it, as a question
 * does. Answers with whether the end is off the screen.
 */
export function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  { following, isWanted }: { following: boolean; isWanted(): boolean },
  { scrollToEnd }: { scrollToEnd(): void },
): boolean {
  const [away, setAway] = useState(false)
  useLayoutEffect(() => {
    const element = scroller.current
    const rows = element?.firstElementChild
    if (!element || !rows) return
    const look = () => setAway(distanceToEnd(geometry(element)) > awayBeyond)
    const stay = () => {
      if (following && distanceToEnd(geometry(element)) > 0) scrollToEnd()
      look()
    }
    // Content that is back after a moment leaves no other height behind, only another place.
    let frame = 0
    const moved = () => {
      look()
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        if (following && isWanted() && distanceToEnd(geometry(element)) > atEndWithin) scrollToEnd()
      })
    }
    stay()
    const observer = new ResizeObserver(stay)
    observer.observe(element)
    observer.observe(rows)
    element.addEventListener("scroll", moved, { passive: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      element.removeEventListener("scroll", moved)
    }
  }, [scroller, following, isWanted, scrollToEnd])
  return away
}
