import type { Presence, Viewer } from "@docket/core/schema"

/** Who has the tree open besides the reader. */
export interface Others {
  viewers: readonly Viewer[]
  /** How many more there are than are named. */
  more: number
  /** How many read it by links. */
  readers: number
  /** Who looks at a session now, by the session. */
  bySession: ReadonlyMap<string, readonly Viewer[]>
}

export const nobody: Others = { viewers: [], more: 0, readers: 0, bySession: new Map() }

/** The others, from the view of one of them. A person's other tabs are no others. */
export function othersOf(presence: Presence | null, reader: string): Others {
  if (presence === null) return nobody
  const viewers = presence.viewers.filter(({ person }) => person !== reader)
  const looks = viewers.flatMap((viewer) =>
    [...new Set(viewer.places.map(({ sessionID }) => sessionID))].map((sessionID) => ({ viewer, sessionID })),
  )
  const bySession = new Map(
    [...Map.groupBy(looks, ({ sessionID }) => sessionID)].map(([id, own]) => [id, own.map(({ viewer }) => viewer)]),
  )
  return { viewers, more: presence.more, readers: presence.readers, bySession }
}
