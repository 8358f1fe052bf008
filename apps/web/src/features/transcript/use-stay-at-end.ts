"use client"

import { type RefObject, useEffect } from "react"
import { atEndWithin, distanceToEnd } from "./distance-to-end.ts"

/**
 * Keeps a followed transcript at its end whatever changes its height: rows, and what takes room from it, as a question
 * does. A page of rows that is loaded below the reader's place is not followed: that place was not the end.
 */
export function useStayAtEnd(
  scroller: RefObject<HTMLElement | null>,
  following: boolean,
  { scrollToEnd }: { scrollToEnd(): void },
): void {
  useEffect(() => {
    const element = scroller.current
    const rows = element?.firstElementChild
    if (!element || !rows || !following) return
    const isAtEnd = () => distanceToEnd(element) <= atEndWithin
    let reached = isAtEnd()
    const reach = () => {
      reached ||= isAtEnd()
    }
    const observer = new ResizeObserver(() => {
      if (reached && !isAtEnd()) scrollToEnd()
    })
    observer.observe(element)
    observer.observe(rows)
    element.addEventListener("scroll", reach, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener("scroll", reach)
    }
  }, [scroller, following, scrollToEnd])
}
