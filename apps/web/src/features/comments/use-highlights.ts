"use client"

import type { TreeStore } from "@docket/client"
import type { ThreadView } from "@docket/core"
import { useEffect, useMemo } from "react"
import { findPart } from "./begin-comment.ts"
import { commentedRanges, drawnRanges } from "./highlight.ts"

/** The name by which the theme paints them. */
const highlightName = "docket-comment"

/** They are painted at most this often while the page changes (ms). */
const restMs = 150

/** Paints the words on which something is said, wherever they are on the screen. A browser without highlights shows them plain. */
export function useHighlights(tree: TreeStore, threads: readonly ThreadView[] | null): void {
  const ranges = useMemo(() => commentedRanges(threads ?? []), [threads])
  useEffect(() => {
    if (ranges.length === 0 || !("highlights" in CSS)) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const paint = () => {
      timer = undefined
      const found = drawnRanges(ranges, (id) => findPart(tree.get().tree, id))
      CSS.highlights.set(highlightName, new Highlight(...found))
    }
    const soon = () => {
      timer ??= setTimeout(paint, restMs)
    }
    // Rows come and go with scrolling, open and close, and are coloured later.
    const observer = new MutationObserver(soon)
    observer.observe(document.body, { childList: true, subtree: true })
    paint()
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      CSS.highlights.delete(highlightName)
    }
  }, [ranges, tree])
}
