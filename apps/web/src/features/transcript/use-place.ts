"use client"

import type { ReactVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react"
import { findArrivalRow } from "./first-offset.ts"
import type { Place } from "./place.ts"
import { linkedPart, type Row } from "./rows/row.ts"
import type { Arrival } from "./use-arrival.ts"
import { rowElement } from "./use-row-keys.ts"

interface PlaceOptions {
  rows: readonly Row[]
  scroller: RefObject<HTMLDivElement | null>
  virtualizer: ReactVirtualizer<HTMLDivElement, HTMLElement>
  arrival: Arrival
  /** Focuses a row and stops following. */
  reveal(index: number, align: "center"): void
  /** Says that the page moves to a row; with `newest`, the end is followed from then on. */
  go(newest: boolean): void
}

/** A row that keeps its position for so many frames is not moved any more. */
const settleFrames = 60
/** For how many frames a row is moved to its position: on a busy machine rows are drawn and measured late. */
const drawFrames = 300

interface Opening {
  /** Call this when the reader moves elsewhere: the scroll is not corrected after that. */
  leave(): void
  /** The transcript is still loading or scrolling to the place where the reader arrives. */
  isSettling(): boolean
}

/**
 * Scrolls the transcript to the place where the reader arrives, once for each arrival, before the first paint of the
 * rows.
 */
export function useOpenAt({ rows, scroller, virtualizer, arrival, reveal, go }: PlaceOptions): Opening {
  // The arrival that needs no further scroll: its place was found, or the reader has moved.
  const handled = useRef<Arrival | null>(null)
  // The last arrival for which rows were there.
  const started = useRef<Arrival | null>(null)
  const settling = useRef<Settling>({ stop: () => {}, isOver: () => true })
  const leave = useCallback(() => {
    handled.current = started.current
    settling.current.stop()
  }, [])
  const isSettling = useCallback(() => {
    const isAwaited = started.current !== null && started.current.at !== "end" && handled.current !== started.current
    return isAwaited || !settling.current.isOver()
  }, [])
  useLayoutEffect(() => {
    const element = scroller.current
    return element ? onReaderScroll(element, leave) : undefined
  }, [scroller, leave])
  useLayoutEffect(() => {
    if (rows.length === 0 || handled.current === arrival) return
    const first = started.current !== arrival
    started.current = arrival
    const index = findArrivalRow(rows, arrival)
    if (index >= 0) handled.current = arrival
    if (index >= 0 && arrival.at === "part") return reveal(index, "center")
    if (index >= 0 && arrival.at === "place") {
      go(false)
      const row = { index, key: rows[index]?.key ?? "", above: arrival.place.row?.above ?? 0 }
      settling.current.stop()
      settling.current = putRow(virtualizer, scroller, row)
      return
    }
    // The rows around the place may still be loading, or may be gone. Until they arrive, stay at the end.
    if (!first) return
    go(true)
    virtualizer.scrollToEnd()
  }, [rows, arrival, reveal, go, virtualizer, scroller])
  return { leave, isSettling }
}

interface Settling {
  stop(): void
  isOver(): boolean
}

/** Puts a row's top `above` px over the top of the screen, and repeats it while the rows around it are measured. */
function putRow(
  virtualizer: ReactVirtualizer<HTMLDivElement, HTMLElement>,
  scroller: RefObject<HTMLDivElement | null>,
  row: { index: number; key: string; above: number },
): Settling {
  virtualizer.scrollToIndex(row.index, { align: "start" })
  let frames = settleFrames
  let waits = drawFrames
  let isOver = false
  const settle = () => {
    const element = scroller.current
    isOver ||= element === null || frames === 0 || waits === 0
    if (isOver || element === null) return
    const shown = rowElement(element, row.key)
    const distance = shown ? shown.getBoundingClientRect().top - element.getBoundingClientRect().top + row.above : null
    if (distance !== null && Math.abs(distance) < 1) frames -= 1
    else {
      frames = settleFrames
      waits -= 1
      if (distance !== null) virtualizer.scrollToOffset(element.scrollTop + distance)
    }
    requestAnimationFrame(settle)
  }
  requestAnimationFrame(settle)
  return {
    stop: () => {
      isOver = true
    },
    isOver: () => isOver,
  }
}

/** Calls the listener when the reader starts to scroll the element. Returns a function that removes it. */
function onReaderScroll(element: HTMLElement, listener: () => void): () => void {
  const listeners = new AbortController()
  for (const name of ["wheel", "touchmove", "keydown", "pointerdown"] as const)
    element.addEventListener(name, listener, { passive: true, signal: listeners.signal })
  return () => listeners.abort()
}

interface KeepOptions {
  rows: readonly Row[]
  scroller: RefObject<HTMLDivElement | null>
  virtualizer: ReactVirtualizer<HTMLDivElement, HTMLElement>
  following: boolean
  open: ReadonlyMap<string, boolean>
  /** While the page still moves to the place where the reader arrives, a position on the way must not be stored. */
  isSettling(): boolean
  keep(place: Place): void
}

/** Stores the reader's place whenever it changes. */
export function useKeepPlace(options: KeepOptions): void {
  const latest = useRef(options)
  latest.current = options
  const { scroller, following, open } = options
  const keep = useRef(() => {
    const { current } = latest
    const element = current.scroller.current
    if (element && !current.isSettling()) current.keep(placeOf(current, element.scrollTop))
  }).current
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: these changes are stored without a scroll
  useEffect(() => {
    // The page is still scrolling to the reader's old place: the current position must not be stored.
    if (first.current) first.current = false
    else keep()
  }, [keep, following, open])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let frame = 0
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(keep)
    }
    element.addEventListener("scroll", soon, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener("scroll", soon)
    }
  }, [scroller, keep])
}

function placeOf({ rows, virtualizer, following, open }: KeepOptions, top: number): Place {
  const item = virtualizer.getVirtualItemForOffset(top)
  const row = item ? rows[item.index] : undefined
  return {
    following,
    row: item && row ? { key: row.key, source: sourceOf(rows, item.index), above: Math.round(top - item.start) } : null,
    open: [...open],
  }
}

/** Id of a part or message to load for the row: its own, or the nearest one above it. */
function sourceOf(rows: readonly Row[], index: number): string {
  for (let at = index; at >= 0; at--) {
    const row = rows[at]
    const part = row ? linkedPart(row) : null
    if (part !== null) return part
  }
  return rows[index]?.key ?? ""
}
