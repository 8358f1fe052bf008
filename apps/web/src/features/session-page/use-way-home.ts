"use client"

import { useRouter } from "next/navigation"
import { useRef } from "react"

/** Where one stood in the tab's history when something was opened that leads to other pages. */
export function useWayHome(): { left(): void; goHome(): void } {
  const router = useRouter()
  const home = useRef({ entry: currentEntry(), href: location.pathname + location.search, pages: 0 })
  return {
    left() {
      home.current.pages++
    },
    goHome() {
      const { entry, href, pages } = home.current
      if (pages === 0) return
      // Back to the very entry, where its reader's place is kept.
      if (entry === null) history.go(-pages)
      else window.navigation.traverseTo(entry).finished?.catch(() => router.push(href))
    },
  }
}

function currentEntry(): string | null {
  return "navigation" in window ? (window.navigation.currentEntry?.key ?? null) : null
}
