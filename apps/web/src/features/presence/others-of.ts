import { newestTasks } from "@docket/core/marks"
import type { Presence, Viewer } from "@docket/core/schema"
import type { TreeState } from "@docket/core/tree"

/** Who has the tree open besides the reader. */
export interface Others {
  viewers: readonly Viewer[]
  /** How many more there are than are named. */
  more: number
  /** How many read it by links. */
  readers: number
  /** Who looks at a session now, by the session. */
  bySession: ReadonlyMap<string, readonly string[]>
}

export const nobody: Others = { viewers: [], more: 0, readers: 0, bySession: new Map() }

/** The others, from the view of one of them. A person's other tabs are no others. */
export function othersOf(presence: Presence | null, reader: string): Others {
  if (presence === null) return nobody
  const viewers = presence.viewers.filter(({ person }) => person !== reader)
  const looks = viewers.flatMap(({ person, places }) =>
    [...new Set(places.map(({ sessionID }) => sessionID))].map((sessionID) => ({ person, sessionID })),
  )
  const bySession = new Map(
    [...Map.groupBy(looks, ({ sessionID }) => sessionID)].map(([id, own]) => [id, own.map(({ person }) => person)]),
  )
  return { viewers, more: presence.more, readers: presence.readers, bySession }
}

/** Where somebody is, as an address; null when that is no longer in the tree. */
export function hrefOf(tree: TreeState, { places }: Viewer): string | null {
  const [place] = places
  if (place === undefined || tree.sessions[place.sessionID] === undefined) return null
  const { rootID } = tree
  if (place.view === "session") return place.sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${place.sessionID}`
  const task = newestTasks(Object.values(tree.tasks)).get(place.sessionID)
  return `/review/${rootID}?task=${task?.id ?? "root"}`
}
