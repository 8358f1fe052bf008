"use client"

import type { TreeStore } from "@docket/client"
import { useSearchParams } from "next/navigation"
import { useCallback } from "react"
import { addressAt, momentOf } from "./replay-address.ts"

interface ReplayOptions {
  /** The session on the page. */
  sessionID: string
  store: TreeStore
  /** Goes to a session of the tree as it stood then (epoch ms). */
  openAt(sessionID: string, then: number): void
}

/** Whether the page shows a moment of before (`?at=`), and the ways there, within it, and back. */
export function useReplay({ sessionID, store, openAt }: ReplayOptions) {
  const at = momentOf(useSearchParams().get("at"))
  const onRest = useCallback((then: number) => {
    // Whoever has left is not brought back, while the page they go to is still on its way.
    if (new URLSearchParams(location.search).has("at")) history.replaceState(null, "", addressAt(location, then))
  }, [])
  const onLive = () => {
    history.pushState(null, "", addressAt(location, null))
    void store.openLatest(sessionID)
  }
  return {
    at,
    /** Begins where the tree stands now. */
    start: () => history.pushState(null, "", addressAt(location, Date.now())),
    ways: { onRest, onLive, onOpenSession: openAt },
  }
}
