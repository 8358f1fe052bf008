"use client"

import { type RefObject, useLayoutEffect, useState } from "react"
import { distanceToEnd } from "./follow.ts"
import { geometry } from "./use-follow.ts"

/** The newest row counts as off the screen from here on (px): more than the space under it. */
const awayBeyond = 32

/**
 * Keeps a followed transcript at its end whatever changes its height: rows, and what takes room from it, as a question
 * does. Answers with whether the end is off the screen.
 */
export function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  following: boolean,
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
    stay()
    const observer = new ResizeObserver(stay)
    observer.observe(element)
    observer.observe(rows)
    element.addEventListener("scroll", look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener("scroll", look)
    }
  }, [scroller, following, scrollToEnd])
  return away
}
