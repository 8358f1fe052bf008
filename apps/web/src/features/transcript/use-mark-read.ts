"use client"

import { useEffect } from "react"

/** Calls `markRead` when the unread end is on the screen (`atEnd`) and the tab is visible. `unread`: epoch ms. */
export function useMarkRead(unread: number | null, atEnd: boolean, markRead: (at: number) => void): void {
  useEffect(() => {
    if (unread === null || !atEnd) return
    const look = () => {
      if (document.visibilityState === "visible") markRead(unread)
    }
    look()
    document.addEventListener("visibilitychange", look)
    return () => document.removeEventListener("visibilitychange", look)
  }, [unread, atEnd, markRead])
}
