/** Where a reader was in a transcript. */
export interface Place {
  /** The reader stayed at the end. */
  following: boolean
  /**
   * Key of the first visible row, the part or message that it shows, and how far its top was above the visible area
   * (px).
   */
  row: { key: string; source: string; above: number } | null
  /** Rows that the reader opened or closed. */
  open: [string, boolean][]
}

/** Places are kept for this many sessions and visits. */
const maxPlaces = 100
/** A new format needs a new name, so that places stored by an older page are not read. */
export const placesKey = "docket-places-1"

export interface PlaceStore {
  /** The reader's place in a session: at this history entry, or else the last one. */
  read(sessionID: string, entry: string | null): { place: Place; sameEntry: boolean } | null
  write(sessionID: string, entry: string | null, place: Place): void
  /** Stores where a visit begins, in case the reader never scrolls. */
  begin(sessionID: string, entry: string | null, place: Place): void
}

/** Stores places in the tab's storage, so that they survive a reload. Entries that cannot be parsed are dropped. */
export function createPlaceStore(storage: Pick<Storage, "getItem" | "setItem">): PlaceStore {
  const places = new Map(parse(storage.getItem(placesKey)))
  const put = (key: string, place: Place) => {
    places.delete(key)
    places.set(key, place)
  }
  const store = () => {
    for (const key of [...places.keys()].slice(0, Math.max(0, places.size - maxPlaces))) places.delete(key)
    try {
      storage.setItem(placesKey, JSON.stringify([...places]))
    } catch {
      // The storage is full or forbidden: the place is lost with the page.
    }
  }
  return {
    read(sessionID, entry) {
      const here = entry === null ? undefined : places.get(visitKey(sessionID, entry))
      if (here) return { place: here, sameEntry: true }
      const last = places.get(sessionID)
      return last ? { place: last, sameEntry: false } : null
    },
    write(sessionID, entry, place) {
      put(sessionID, place)
      if (entry !== null) put(visitKey(sessionID, entry), place)
      store()
    },
    begin(sessionID, entry, place) {
      if (entry === null || places.has(visitKey(sessionID, entry))) return
      put(visitKey(sessionID, entry), place)
      store()
    },
  }
}

/** The key of the place at one history entry. The place where a session was left last has the key `sessionID`. */
const visitKey = (sessionID: string, entry: string) => `${sessionID} ${entry}`

function parse(text: string | null): [string, Place][] {
  try {
    const places: unknown = JSON.parse(text ?? "[]")
    return Array.isArray(places) ? places.filter(isEntry) : []
  } catch {
    return []
  }
}

function isEntry(entry: unknown): entry is [string, Place] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false
  // The fields are checked one by one below.
  const place = entry[1] as Partial<Place> | null
  return typeof place?.following === "boolean" && typeof place.row === "object" && Array.isArray(place.open)
}
