"use client"

import { type RefObject, useLayoutEffect, useState } from "react"
import { atEndWithin, distanceToEnd } from "./follow.ts"
import { geometry } from "./use-follow.ts"

/** The end counts as off the screen beyond this distance (px): more than the space below the last row. */
const awayBeyond = 32

/**
 * Keeps a followed transcript at its end when rows change height, or when something takes space from it, as a question
 * does. `following` is what the last render knew; `wantsEndNow` says what the reader wants now. Returns whether the end
 * is off the screen.
 */
export function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  { following, wantsEndNow }: { following: boolean; wantsEndNow(): boolean },
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
    // Content that disappears and returns at once leaves the height unchanged but moves the scroll position.
    let frame = 0
    const moved = () => {
      look()
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        if (following && wantsEndNow() && distanceToEnd(geometry(element)) > atEndWithin) scrollToEnd()
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
  }, [scroller, following, wantsEndNow, scrollToEnd])
  return away
}
