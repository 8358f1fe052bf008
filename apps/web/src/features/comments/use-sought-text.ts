"use client"

import type { TreeStore } from "@docket/client"
import { useEffect, useSyncExternalStore } from "react"
import type { CommentStore } from "../commenting/comment-store.ts"
import { findPart } from "./begin-comment.ts"
import { drawnRanges } from "./highlight.ts"

/** How many frames to wait for the text, and how many to scroll to it again, because rows above it get their height. */
const frames = { waited: 300, settling: 10 }

/** Scrolls to the commented text that the user goes to, even inside a row that is taller than the screen. */
export function useSoughtText(tree: TreeStore, store: CommentStore): void {
  const sought = useSyncExternalStore(
    store.subscribe,
    () => store.get().sought,
    () => null,
  )
  useEffect(() => {
    if (sought === null) return
    const left = { ...frames }
    const look = () => {
      const [range] = drawnRanges([sought], (id) => findPart(tree.get().tree, id))
      if (range === undefined) left.waited -= 1
      else {
        left.settling -= 1
        bringIntoSight(range)
      }
      if (left.waited === 0 || left.settling === 0) return store.seek(null)
      frame = requestAnimationFrame(look)
    }
    let frame = requestAnimationFrame(look)
    // Stop scrolling to the text once the user scrolls or types.
    const listeners = new AbortController()
    for (const name of ["wheel", "touchmove", "keydown", "pointerdown"] as const)
      window.addEventListener(name, () => store.seek(null), { passive: true, signal: listeners.signal })
    return () => {
      listeners.abort()
      cancelAnimationFrame(frame)
    }
  }, [sought, tree, store])
}

/** Scrolls every container that hides a range, from the inside out, until the range is in its middle. */
function bringIntoSight(range: Range): void {
  for (let box = range.startContainer.parentElement; box !== null; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || !/auto|scroll/.test(getComputedStyle(box).overflowY)) continue
    const words = range.getBoundingClientRect()
    const { top, bottom, height } = box.getBoundingClientRect()
    if (words.top < top || words.bottom > bottom) box.scrollTop += words.top - top - (height - words.height) / 2
  }
}
