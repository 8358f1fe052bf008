"use client"

import type { TreeStore } from "@docket/client"
import { useSearchParams } from "next/navigation"
import { useCallback } from "react"
import { addressAt, momentOf } from "./replay-address.ts"

interface ReplayOptions {
  /** The session on the page. */
  sessionID: string
  store: TreeStore
  /** Opens a session of the tree at a time in the past (epoch ms). */
  openAt(sessionID: string, then: number): void
}

/** Whether the page shows the past (`?at=`), and the functions to start the replay, move within it and return. */
export function useReplay({ sessionID, store, openAt }: ReplayOptions) {
  const at = momentOf(useSearchParams().get("at"))
  /** Puts the position (epoch ms) at which the user stopped into the address. */
  const onRest = useCallback((then: number) => {
    // A user who has left the replay must not be sent back while the next page is still loading.
    if (new URLSearchParams(location.search).has("at")) history.replaceState(null, "", addressAt(location, then))
  }, [])
  const onLive = () => {
    history.pushState(null, "", addressAt(location, null))
    void store.openLatest(sessionID)
  }
  return {
    at,
    /** Starts the replay at the present. */
    start: () => history.pushState(null, "", addressAt(location, Date.now())),
    /** The props of `Replay` that move within the replay and return from it. */
    ways: { onRest, onLive, onOpenSession: openAt },
  }
}
