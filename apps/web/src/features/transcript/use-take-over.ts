"use client"

import type { ReactVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useLayoutEffect, useReducer } from "react"
import { firstScroller, firstWindow } from "./first/first-window.tsx"
import { placeInFirst, rowsInSight } from "./first/place-in-first.ts"
import { findWanted } from "./first-offset.ts"
import type { Row } from "./rows/row.ts"
import { layOutReaches } from "./take-over.ts"
import { rowElement } from "./use-row-keys.ts"

interface TakeOver {
  rows: readonly Row[]
  scroller: RefObject<HTMLElement | null>
  virtualizer: ReactVirtualizer<HTMLDivElement, HTMLElement>
  /** All rows that are laid out are drawn. */
  drawn: boolean
  following: boolean
  /** The reader has gone elsewhere than where they arrived: to the end, or away from it. */
  goElsewhere(toEnd: boolean): void
  /** Takes away what covers the rows; left out when nothing does. */
  onDrawn: (() => void) | undefined
}

/**
 * Shows the rows in the place of those that the page brought along, before the first paint with them: where the reader
 * stands in these now, who may have scrolled for as long as the others were drawn.
 */
export function useTakeOver(options: TakeOver): void {
  const { rows, scroller, virtualizer, drawn, following, goElsewhere, onDrawn } = options
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  // At each commit until it shows them: the reader moves at any time.
  useLayoutEffect(() => {
    const element = scroller.current
    if (onDrawn === undefined || element === null) return
    const first = findFirst()
    const place = first && placeInFirst(first.window)
    if (place) goElsewhere(place.following)
    const leads = place && !place.following && place.row ? findWanted(rows, { at: "place", place }) : -1
    if (first && leads >= 0 && !layOutReaches(keysInSight(first.scroller), rows, virtualizer.getVirtualItems())) {
      virtualizer.scrollToOffset((virtualizer.measurementsCache[leads]?.start ?? 0) + (place?.row?.above ?? 0))
      const frame = requestAnimationFrame(lookAgain)
      return () => cancelAnimationFrame(frame)
    }
    if (!drawn) return
    if (first && (leads >= 0 || !following)) standAs(first.scroller, element, virtualizer)
    onDrawn()
  })
}

/** The rows that the page brought along, unless nobody sees them: their place is nobody's then. */
function findFirst(): { window: HTMLElement; scroller: HTMLElement } | null {
  const scroller = document.querySelector<HTMLElement>(firstScroller)
  const window = scroller?.closest<HTMLElement>(firstWindow)
  return scroller && window && window.dataset.elsewhere === undefined ? { window, scroller } : null
}

function keysInSight(scroller: HTMLElement): string[] {
  return rowsInSight(scroller).flatMap(({ dataset }) => dataset.row ?? [])
}

/** Scrolls so that a row stands where it stands in the rows that cover it. */
function standAs(
  first: HTMLElement,
  element: HTMLElement,
  virtualizer: Pick<TakeOver["virtualizer"], "scrollToOffset">,
): void {
  for (const row of rowsInSight(first)) {
    const same = rowElement(element, row.dataset.row ?? null)
    if (same === null) continue
    const off = same.getBoundingClientRect().top - row.getBoundingClientRect().top
    if (Math.abs(off) >= 1) virtualizer.scrollToOffset(element.scrollTop + off)
    return
  }
}
