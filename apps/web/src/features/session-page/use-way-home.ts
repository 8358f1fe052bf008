"use client"

import { useRouter } from "next/navigation"
import { useRef } from "react"

/**
 * Remembers the entry in the tab's history from which the user opened something that leads to other pages. Call
 * `pageOpened` for each of those pages; `goHome` returns to the entry.
 */
export function useWayHome(): { pageOpened(): void; goHome(): void } {
  const router = useRouter()
  const home = useRef({ entry: currentEntry(), href: location.pathname + location.search, pages: 0 })
  return {
    pageOpened() {
      home.current.pages++
    },
    goHome() {
      const { entry, href, pages } = home.current
      if (pages === 0) return
      // Returns to the original history entry, which keeps the scroll position.
      if (entry === null) history.go(-pages)
      else window.navigation.traverseTo(entry).finished?.catch(() => router.push(href))
    },
  }
}

function currentEntry(): string | null {
  return "navigation" in window ? (window.navigation.currentEntry?.key ?? null) : null
}
