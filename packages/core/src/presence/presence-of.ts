import type { Presence, Viewer, ViewerPlace } from "../schema/index.ts"

/** A tab that follows a tree. `place` is null while it shows nothing of it, `moved` counts up with each move. */
export interface Seat {
  person: string
  place: ViewerPlace | null
  moved: number
}

/** Most people whom others are told by name. */
const maxNamed = 50
/** Most places of one person. */
const maxPlaces = 5

/** Who sits there: each person once, however many tabs they have, and where they went last. */
export function presenceOf(seats: Iterable<Seat>, readers: number): Presence {
  const shown = [...seats].flatMap(({ person, place, moved }) => (place === null ? [] : [{ person, place, moved }]))
  const viewers = [...Map.groupBy(shown, ({ person }) => person)].map(
    ([person, own]): Viewer => ({
      person,
      places: withoutDoubles(own.toSorted((one, other) => other.moved - one.moved).map(({ place }) => place)),
    }),
  )
  return { viewers: viewers.slice(0, maxNamed), more: Math.max(0, viewers.length - maxNamed), readers }
}

function withoutDoubles(places: ViewerPlace[]): ViewerPlace[] {
  const byName = new Map(places.toReversed().map((place) => [`${place.view} ${place.sessionID}`, place]))
  return [...byName.values()].toReversed().slice(0, maxPlaces)
}
