"use client"

import type { TreeStore } from "@docket/client"
import { useTRPCClient } from "@docket/client/react"
import type { ThreadView } from "@docket/core"
import type { Part } from "@docket/core/schema"
import { useEffect, useMemo } from "react"
import { findPart } from "./begin-comment.ts"
import { commentedRanges, drawnRanges } from "./highlight.ts"

/** The highlight name that the theme styles. */
const highlightName = "docket-comment"

/** Minimum pause between repaints while the page changes (ms). */
const restMs = 150

/** Highlights commented text wherever it is visible. Browsers without the Highlight API show plain text. */
export function useHighlights(tree: TreeStore, threads: readonly ThreadView[] | null): void {
  const client = useTRPCClient()
  const ranges = useMemo(() => commentedRanges(threads ?? []), [threads])
  useEffect(() => {
    if (ranges.length === 0 || !("highlights" in CSS)) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const parts = new Map<string, Part | null>()
    /** Reads a part that another store of the tree shows. It is requested only once. */
    const read = (partID: string): Part | null => {
      const known = parts.get(partID)
      if (known !== undefined) return known
      parts.set(partID, null)
      const addPart = (part: Part) => {
        parts.set(partID, part)
        paintSoon()
      }
      // On an error the text is not highlighted.
      client.session.part.query({ partID }).then(addPart, () => {})
      return null
    }
    const paint = () => {
      timer = undefined
      const found = drawnRanges(ranges, (id) => findPart(tree.get().tree, id) ?? read(id))
      CSS.highlights.set(highlightName, new Highlight(...found))
    }
    const paintSoon = () => {
      timer ??= setTimeout(paint, restMs)
    }
    // Rows are mounted, opened and closed, and code is highlighted later.
    const observer = new MutationObserver(paintSoon)
    observer.observe(document.body, { childList: true, subtree: true })
    paint()
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      CSS.highlights.delete(highlightName)
    }
  }, [ranges, tree, client])
}
