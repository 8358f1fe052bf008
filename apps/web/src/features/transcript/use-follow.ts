"use client"

import { type RefObject, useEffect, useState } from "react"
import { atEndWithin, distanceToEnd } from "./distance-to-end.ts"

const upKeys = new Set(["ArrowUp", "PageUp", "Home"])

/**
 * Whether the transcript stays at its end as it grows. Any move upwards by the reader stops it at once,
 * so growth never fights a hand on the wheel; reaching the end again starts it.
 */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  initially: boolean,
): [boolean, (on: boolean) => void] {
  const [following, setFollowing] = useState(initially)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let touchY = 0
    const stop = () => {
      if (element.scrollHeight > element.clientHeight) setFollowing(false)
    }
    const listeners = new AbortController()
    const options = { passive: true, signal: listeners.signal }
    element.addEventListener("wheel", (event) => event.deltaY < 0 && stop(), options)
    element.addEventListener("touchstart", (event) => (touchY = event.touches[0]?.clientY ?? 0), options)
    element.addEventListener("touchmove", (event) => (event.touches[0]?.clientY ?? 0) > touchY && stop(), options)
    element.addEventListener("keydown", (event) => upKeys.has(event.key) && stop(), options)
    // A press on the element itself, not on what is in it, is a press on its scroll bar.
    element.addEventListener("pointerdown", (event) => event.target === element && stop(), options)
    element.addEventListener("scroll", () => distanceToEnd(element) <= atEndWithin && setFollowing(true), options)
    return () => listeners.abort()
  }, [scroller])
  return [following, setFollowing]
}
