import type { Presence, Viewer, ViewerPlace } from "../../ground/schema/index.ts"

/** A tab that follows a tree. `place` is null while it shows nothing of it, `moved` counts up with each move. */
export interface Seat {
  person: string
  name?: string | undefined
  place: ViewerPlace | null
  moved: number
}

/** Most people whom others are told by name. */
const maxNamed = 50
/** Most places of one person. */
const maxPlaces = 5

/** Who sits there: each person once, however many tabs they have, and where they went last. */
export function presenceOf(seats: Iterable<Seat>, readers: number): Presence {
  const shown = [...seats].flatMap(({ place, ...seat }) => (place === null ? [] : [{ ...seat, place }]))
  const viewers = [...Map.groupBy(shown, ({ person }) => person)].map(
    ([person, own]): Viewer => ({
      person,
      ...nameOf(own),
      places: withoutDoubles(own.toSorted((one, other) => other.moved - one.moved).map(({ place }) => place)),
    }),
  )
  return { viewers: viewers.slice(0, maxNamed), more: Math.max(0, viewers.length - maxNamed), readers }
}

function withoutDoubles(places: ViewerPlace[]): ViewerPlace[] {
  const byName = new Map(places.toReversed().map((place) => [`${place.view} ${place.sessionID}`, place]))
  return [...byName.values()].toReversed().slice(0, maxPlaces)
}

/** As they were called when they came last. */
function nameOf(seats: readonly Pick<Seat, "name">[]): Pick<Viewer, "name"> {
  const name = seats.at(-1)?.name
  return name === undefined ? {} : { name }
}
