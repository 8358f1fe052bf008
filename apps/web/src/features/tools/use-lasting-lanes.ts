"use client"

import { type RefObject, useEffect } from "react"
import { viewBox } from "./lane-track.tsx"
import type { LaneLayout } from "./lay-out-lanes.ts"

/** How often unfinished spans grow (ms). */
const step = 1_000

/**
 * Makes the unfinished lanes in an element grow with time. A timer sets attributes, so React renders nothing for it.
 */
export function useLastingLanes(ref: RefObject<Element | null>, { total, until }: LaneLayout, drawnAt: number): void {
  useEffect(() => {
    if (until !== null) return
    const grow = () => {
      const end = total + Math.max(0, Date.now() - drawnAt)
      for (const track of ref.current?.querySelectorAll("svg[data-total]") ?? []) {
        track.setAttribute("viewBox", viewBox(end))
        for (const line of track.querySelectorAll("[data-lasts]"))
          line.setAttribute("d", `M${line.getAttribute("data-lasts")} 5H${Math.round(end)}`)
      }
    }
    const timer = setInterval(grow, step)
    return () => clearInterval(timer)
  }, [ref, total, until, drawnAt])
}
