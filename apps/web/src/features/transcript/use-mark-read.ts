"use client"

import { useEffect } from "react"

/** Calls `markRead` with an unread end when it is on screen (`atEnd`) in a tab that is looked at. `unread`: epoch ms. */
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
