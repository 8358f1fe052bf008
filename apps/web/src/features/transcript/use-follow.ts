"use client"

import { type RefObject, useCallback, useEffect, useRef, useState } from "react"
import { type FollowEvent, follow, type Geometry, startFollowing } from "./follow.ts"

const upKeys = new Set(["ArrowUp", "PageUp", "Home"])
const downKeys = new Set(["ArrowDown", "PageDown", "End", " "])

export interface Following {
  /** The reader wants to stay at the end. */
  wantsEnd: boolean
  /** The current value of `wantsEnd`, even before React has rendered it. */
  wantsEndNow(): boolean
  /** A key or a link moves to a row. The newest row is followed from then on. */
  go(newest: boolean): void
  /** Called before the page itself moves the transcript. */
  beforeMove(): void
}

/**
 * Follows the end of a transcript until the reader leaves it, and again once the reader returns. `initially`: follow it
 * from the start. `complete`: the loaded rows include the newest one.
 */
export function useFollow(scroller: RefObject<HTMLElement | null>, initially: boolean, complete: boolean): Following {
  const state = useRef(startFollowing(initially))
  const [wantsEnd, setWantsEnd] = useState(initially)
  const isComplete = useRef(complete)
  isComplete.current = complete
  const tell = useCallback((event: FollowEvent) => {
    state.current = follow(state.current, event)
    setWantsEnd(state.current.wanted)
  }, [])

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let touchY = 0
    const hand = (up: boolean) => tell({ type: "hand", up, at: geometry(element) })
    const rest = () => tell({ type: "rest" })
    const listeners = new AbortController()
    const options = { passive: true, signal: listeners.signal }
    element.addEventListener("wheel", (event) => hand(event.deltaY < 0), options)
    element.addEventListener("touchstart", (event) => (touchY = event.touches[0]?.clientY ?? 0), options)
    element.addEventListener("touchmove", (event) => hand((event.touches[0]?.clientY ?? 0) > touchY), options)
    element.addEventListener("keydown", (event) => scrolls(event) && hand(goesUp(event)), options)
    // A pointer press on the element itself, not on its content, is a press on the scroll bar.
    element.addEventListener("pointerdown", (event) => event.target === element && hand(false), options)
    element.addEventListener("pointerup", rest, options)
    element.addEventListener("scrollend", rest, options)
    element.addEventListener(
      "scroll",
      () => tell({ type: "scroll", at: geometry(element), complete: isComplete.current }),
      options,
    )
    // The only child has the height of all rows, which may change twice before the next scroll event.
    const heights = new MutationObserver(() => tell({ type: "own" }))
    if (element.firstElementChild) heights.observe(element.firstElementChild, { attributeFilter: ["style"] })
    return () => {
      listeners.abort()
      heights.disconnect()
    }
  }, [scroller, tell])
  const go = useCallback((newest: boolean) => tell({ type: "go", newest }), [tell])
  const beforeMove = useCallback(() => tell({ type: "own" }), [tell])
  const wantsEndNow = useCallback(() => state.current.wanted, [])
  return { wantsEnd, wantsEndNow, go, beforeMove }
}

export function geometry(element: HTMLElement): Geometry {
  return { top: element.scrollTop, height: element.scrollHeight, client: element.clientHeight }
}

/** Whether the key scrolls the element. */
function scrolls({ key }: KeyboardEvent): boolean {
  return upKeys.has(key) || downKeys.has(key)
}

function goesUp(event: KeyboardEvent): boolean {
  return upKeys.has(event.key) || (event.key === " " && event.shiftKey)
}
