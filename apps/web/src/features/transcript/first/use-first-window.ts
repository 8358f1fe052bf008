"use client"

import { useCallback, useEffect, useLayoutEffect, useState } from "react"
import { historyEntry } from "../history-entry.ts"
import { keepPlace } from "../use-arrival.ts"
import { firstWindow } from "./first-window.tsx"
import { handOver } from "./hand-over.ts"
import { placeInFirst } from "./place-in-first.ts"

/**
 * Whether the server-rendered rows are visible; `drop` hides them once the live list is drawn. Until then a scroll in
 * them is stored as the reader's place in the transcript.
 */
export function useFirstWindow(sessionID: string, isSent: boolean): { standing: boolean; drop(): void } {
  const [standing, setStanding] = useState(() => {
    if (!isSent || typeof window === "undefined") return isSent
    const element = sentWindow(sessionID)
    // Must run before other code reads the reader's place.
    if (element !== null) keepMoved(element, sessionID)
    return element !== null
  })
  useLayoutEffect(() => {
    if (standing && (sentWindow(sessionID)?.hidden ?? true)) setStanding(false)
  }, [standing, sessionID])
  useEffect(() => {
    const element = standing ? sentWindow(sessionID) : null
    const scroller = element?.querySelector("[data-rows]")
    if (!element || !scroller) return
    const keep = () => keepMoved(element, sessionID)
    scroller.addEventListener("scroll", keep, { passive: true })
    return () => scroller.removeEventListener("scroll", keep)
  }, [standing, sessionID])
  const drop = useCallback(() => {
    handOver(sentWindow(sessionID))
    setStanding(false)
  }, [sessionID])
  return { standing, drop }
}

function sentWindow(sessionID: string): HTMLElement | null {
  const element = document.querySelector<HTMLElement>(firstWindow)
  return element?.dataset.session === sessionID ? element : null
}

function keepMoved(element: HTMLElement, sessionID: string): void {
  const place = placeInFirst(element)
  if (place === null) return
  element.dataset.moved = ""
  keepPlace(sessionID, historyEntry(), place)
}
