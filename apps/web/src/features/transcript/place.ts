/** Where a reader was in a transcript. */
export interface Place {
  /** They stayed at the end. */
  following: boolean
  /** Key of the first row on the screen, the part or message it shows, and how far its top was above the screen's (px). */
  row: { key: string; source: string; above: number } | null
  /** Rows that were opened or closed by hand. */
  open: [string, boolean][]
}

/** Places are kept for this many sessions and visits. */
const kept = 100
/** Another form of a place needs another name: what an older page kept is then not read. */
export const placesKey = "docket-places-1"

export interface PlaceStore {
  /** The reader's place in a session: at this entry of the history, else where they were last. */
  read(sessionID: string, entry: string | null): { place: Place; sameEntry: boolean } | null
  write(sessionID: string, entry: string | null, place: Place): void
  /** Keeps where a visit begins, until something is kept of it: its reader may never scroll. */
  begin(sessionID: string, entry: string | null, place: Place): void
}

/** Keeps places in a tab's storage, so that a reload finds them. What does not parse there is forgotten. */
export function createPlaceStore(storage: Pick<Storage, "getItem" | "setItem">): PlaceStore {
  const places = new Map(parse(storage.getItem(placesKey)))
  const put = (key: string, place: Place) => {
    places.delete(key)
    places.set(key, place)
  }
  const store = () => {
    for (const key of [...places.keys()].slice(0, Math.max(0, places.size - kept))) places.delete(key)
    try {
      storage.setItem(placesKey, JSON.stringify([...places]))
    } catch {
      // A full or forbidden storage: the place lasts as long as the page.
    }
  }
  return {
    read(sessionID, entry) {
      const here = entry === null ? undefined : places.get(visit(sessionID, entry))
      if (here) return { place: here, sameEntry: true }
      const last = places.get(sessionID)
      return last ? { place: last, sameEntry: false } : null
    },
    write(sessionID, entry, place) {
      put(sessionID, place)
      if (entry !== null) put(visit(sessionID, entry), place)
      store()
    },
    begin(sessionID, entry, place) {
      if (entry === null || places.has(visit(sessionID, entry))) return
      put(visit(sessionID, entry), place)
      store()
    },
  }
}

const visit = (sessionID: string, entry: string) => `${sessionID} ${entry}`

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
  // Its fields are looked at one by one below.
  const place = entry[1] as Partial<Place> | null
  return typeof place?.following === "boolean" && typeof place.row === "object" && Array.isArray(place.open)
}
