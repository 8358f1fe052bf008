"use client"

import { useCallback, useLayoutEffect, useRef, useState } from "react"
import { historyEntry } from "./history-entry.ts"
import { createPlaceStore, type Place, type PlaceStore } from "./place.ts"

/** Where a transcript opens: at the part that the address names, where its reader was, or at its end. */
export type Arrival = { at: "part"; part: string } | { at: "place"; place: Place } | { at: "end" }

export interface Visit {
  arrival: Arrival
  /** The part or message that the loaded rows must hold; null for the newest. */
  around: string | null
  /** Keeps the reader's place for when they come back to the session, or by Back or a reload to this visit of it. */
  keep(place: Place): void
}

let places: PlaceStore | null = null

function openPlaces(): PlaceStore {
  places ??= createPlaceStore(window.sessionStorage)
  return places
}

function arrive(sessionID: string, part: string | null): Arrival {
  if (typeof window === "undefined") return { at: "end" }
  const known = openPlaces().read(sessionID, historyEntry())
  if (known && (known.sameEntry || part === null)) return { at: "place", place: known.place }
  return part === null ? { at: "end" } : { at: "part", part }
}

/**
 * How the reader came to the transcript of a session. A new link to a part goes to the part; Back, a reload and every
 * other way to the session go to where its reader was.
 */
export function useArrival(sessionID: string, part: string | null): Visit {
  const [arrival, setArrival] = useState(() => arrive(sessionID, part))
  const entry = useRef<string | null>(null)
  const shown = useRef(part)
  // While a page is rendered for the first time, the history still stands at the page before it.
  useLayoutEffect(() => {
    entry.current = historyEntry()
    const now = shown.current === part ? arrival : arrive(sessionID, part)
    shown.current = part
    setArrival(now)
    const place = placeOf(now)
    if (place !== null) openPlaces().begin(sessionID, entry.current, place)
  }, [sessionID, part, arrival])
  const keep = useCallback((place: Place) => keepPlace(sessionID, entry.current, place), [sessionID])
  return { arrival, around: around(arrival), keep }
}

/** Where a visit begins; null for one that the address tells. */
function placeOf(arrival: Arrival): Place | null {
  if (arrival.at === "end") return { following: true, row: null, open: [] }
  return arrival.at === "place" ? arrival.place : null
}

/** Keeps where a reader is, for what asks how they came. */
export function keepPlace(sessionID: string, entry: string | null, place: Place): void {
  openPlaces().write(sessionID, entry, place)
}

/** What the loaded messages must hold for a visit that begins: known before the code that draws them is there. */
export function placeToLoad(sessionID: string, part: string | null): string | null {
  return around(arrive(sessionID, part))
}

function around(arrival: Arrival): string | null {
  if (arrival.at === "part") return arrival.part
  return arrival.at === "place" && !arrival.place.following ? (arrival.place.row?.source ?? null) : null
}
