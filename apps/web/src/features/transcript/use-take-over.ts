"use client"

import { type RefObject, useLayoutEffect } from "react"
import { firstWindow } from "./first/first-window.tsx"
import { rowElement } from "./use-row-keys.ts"

interface TakeOver {
  scroller: RefObject<HTMLElement | null>
  /** Rows are laid out. */
  drawn: boolean
  following: boolean
  /** Takes away what covers the rows; left out when nothing does. */
  onDrawn: (() => void) | undefined
}

/** Shows the rows in the place of those that the page brought along, before the first paint with them. */
export function useTakeOver({ scroller, drawn, following, onDrawn }: TakeOver): void {
  useLayoutEffect(() => {
    if (onDrawn === undefined || !drawn) return
    if (scroller.current && !following) standAs(scroller.current)
    onDrawn()
  }, [scroller, drawn, following, onDrawn])
}

/** Scrolls so that a row stands where it stands in the rows that cover it. */
function standAs(element: HTMLElement): void {
  const first = document.querySelector(`${firstWindow} > :first-child`)
  if (first === null) return
  const { top } = first.getBoundingClientRect()
  for (const row of first.querySelectorAll<HTMLElement>("[data-row]")) {
    const stands = row.getBoundingClientRect()
    const same = stands.bottom > top ? rowElement(element, row.dataset.row ?? null) : null
    if (same === null) continue
    const off = same.getBoundingClientRect().top - stands.top
    if (Math.abs(off) >= 1) element.scrollTop += off
    return
  }
}
