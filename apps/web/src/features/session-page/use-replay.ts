"use client"

import type { TreeStore } from "@docket/client"
import { useSearchParams } from "next/navigation"
import { useCallback } from "react"
import { useGo } from "../../shell/use-go.ts"
import { addressAt, momentOf } from "../replay/replay-address.ts"

/** Whether the page shows a moment of before (`?at=`), and the ways there, within it, and back. */
export function useReplay(rootID: string, { sessionID, store }: { sessionID: string; store: TreeStore }) {
  const at = momentOf(useSearchParams().get("at"))
  const go = useGo()
  const onRest = useCallback((then: number) => history.replaceState(null, "", addressAt(location, then)), [])
  const onLive = () => {
    history.pushState(null, "", addressAt(location, null))
    void store.openLatest(sessionID)
  }
  return {
    at,
    /** Begins where the tree stands now. */
    start: () => history.pushState(null, "", addressAt(location, Date.now())),
    ways: {
      onRest,
      onLive,
      onOpenSession: (id: string, then: number) =>
        go(`${id === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${id}`}?at=${then}`),
    },
  }
}
