"use client"

import type { ReactVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useLayoutEffect, useReducer } from "react"
import { firstScroller, firstWindow } from "./first/first-window.tsx"
import { placeInFirst, rowsInSight } from "./first/place-in-first.ts"
import { findArrivalRow } from "./first-offset.ts"
import type { Row } from "./rows/row.ts"
import { layOutReaches } from "./take-over.ts"
import { rowElement } from "./use-row-keys.ts"

interface TakeOver {
  rows: readonly Row[]
  scroller: RefObject<HTMLElement | null>
  virtualizer: ReactVirtualizer<HTMLDivElement, HTMLElement>
  /** All laid out rows are drawn. */
  drawn: boolean
  following: boolean
  /** The reader has moved away from the place of arrival: to the end (`toEnd`), or elsewhere. */
  goElsewhere(toEnd: boolean): void
  /** Removes what covers the rows; undefined when nothing does. */
  onDrawn: (() => void) | undefined
}

/**
 * Replaces the server-rendered rows by the live rows before their first paint. The live rows take over the current
 * scroll position, because the reader may have scrolled in the meantime.
 */
export function useTakeOver(options: TakeOver): void {
  const { rows, scroller, virtualizer, drawn, following, goElsewhere, onDrawn } = options
  const [, lookAgain] = useReducer((looks: number) => looks + 1, 0)
  // Checked at each commit until the rows are shown: the reader can scroll at any time.
  useLayoutEffect(() => {
    const element = scroller.current
    if (onDrawn === undefined || element === null) return
    const first = findFirst()
    const place = first && placeInFirst(first.window)
    if (place) goElsewhere(place.following)
    const placeIndex = place && !place.following && place.row ? findArrivalRow(rows, { at: "place", place }) : -1
    if (first && placeIndex >= 0 && !layOutReaches(keysInSight(first.scroller), rows, virtualizer.getVirtualItems())) {
      virtualizer.scrollToOffset((virtualizer.measurementsCache[placeIndex]?.start ?? 0) + (place?.row?.above ?? 0))
      const frame = requestAnimationFrame(lookAgain)
      return () => cancelAnimationFrame(frame)
    }
    if (!drawn) return
    if (first && (placeIndex >= 0 || !following)) alignWithFirst(first.scroller, element, virtualizer)
    onDrawn()
  })
}

/** The server-rendered rows; null if they are hidden, because their position is then not the reader's. */
function findFirst(): { window: HTMLElement; scroller: HTMLElement } | null {
  const scroller = document.querySelector<HTMLElement>(firstScroller)
  const window = scroller?.closest<HTMLElement>(firstWindow)
  return scroller && window && window.dataset.elsewhere === undefined ? { window, scroller } : null
}

function keysInSight(scroller: HTMLElement): string[] {
  return rowsInSight(scroller).flatMap(({ dataset }) => dataset.row ?? [])
}

/** Scrolls so that a row stands at the same position as in the rows that cover it. */
function alignWithFirst(
  first: HTMLElement,
  element: HTMLElement,
  virtualizer: Pick<TakeOver["virtualizer"], "scrollToOffset">,
): void {
  for (const row of rowsInSight(first)) {
    const same = rowElement(element, row.dataset.row ?? null)
    if (same === null) continue
    const distance = same.getBoundingClientRect().top - row.getBoundingClientRect().top
    if (Math.abs(distance) >= 1) virtualizer.scrollToOffset(element.scrollTop + distance)
    return
  }
}
