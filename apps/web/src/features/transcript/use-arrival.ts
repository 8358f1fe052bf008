"use client"

import { useCallback, useLayoutEffect, useRef, useState } from "react"
import { historyEntry } from "./history-entry.ts"
import { createPlaceStore, type Place, type PlaceStore } from "./place.ts"

/** Where a transcript opens: at the part named in the address, at the reader's last place, or at its end. */
export type Arrival = { at: "part"; part: string } | { at: "place"; place: Place } | { at: "end" }

/** One visit of the reader to a session's transcript. */
export interface Visit {
  arrival: Arrival
  /** The part or message around which rows must be loaded; null for the newest. */
  around: string | null
  /** Stores the reader's place, for a later visit to the session, for Back, and for a reload. */
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
 * Where the reader enters a session's transcript. A new link to a part opens that part. Back, a reload and every other
 * way open the reader's last place.
 */
export function useArrival(sessionID: string, part: string | null): Visit {
  const [arrival, setArrival] = useState(() => arrive(sessionID, part))
  const entry = useRef<string | null>(null)
  const shown = useRef(part)
  // During the first render of a page, the history still points to the previous page.
  useLayoutEffect(() => {
    entry.current = historyEntry()
    const next = shown.current === part ? arrival : arrive(sessionID, part)
    shown.current = part
    setArrival(next)
    const place = placeOf(next)
    if (place !== null) openPlaces().begin(sessionID, entry.current, place)
  }, [sessionID, part, arrival])
  const keep = useCallback((place: Place) => keepPlace(sessionID, entry.current, place), [sessionID])
  return { arrival, around: around(arrival), keep }
}

/** The place where a visit begins; null if the address names a part. */
function placeOf(arrival: Arrival): Place | null {
  if (arrival.at === "end") return { following: true, row: null, open: [] }
  return arrival.at === "place" ? arrival.place : null
}

/** Stores the reader's place for the next `useArrival`. */
export function keepPlace(sessionID: string, entry: string | null, place: Place): void {
  openPlaces().write(sessionID, entry, place)
}

/** The part or message that must be loaded when a visit begins. It is known before the code of the list is loaded. */
export function placeToLoad(sessionID: string, part: string | null): string | null {
  return around(arrive(sessionID, part))
}

function around(arrival: Arrival): string | null {
  if (arrival.at === "part") return arrival.part
  return arrival.at === "place" && !arrival.place.following ? (arrival.place.row?.source ?? null) : null
}
