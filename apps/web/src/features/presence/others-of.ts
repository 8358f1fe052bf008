import type { Presence, Viewer } from "@docket/core/schema"

/** The other viewers of the tree. */
export interface Others {
  viewers: readonly Viewer[]
  /** Number of viewers beyond the named ones. */
  more: number
  /** Number of people who read the tree by share links. */
  readers: number
  /** Viewers by the session that they look at. */
  bySession: ReadonlyMap<string, readonly Viewer[]>
}

export const nobody: Others = { viewers: [], more: 0, readers: 0, bySession: new Map() }

/** The viewers other than `self` (a person). Other tabs of the same person do not count. */
export function othersOf(presence: Presence | null, self: string): Others {
  if (presence === null) return nobody
  const viewers = presence.viewers.filter(({ person }) => person !== self)
  const looks = viewers.flatMap((viewer) =>
    [...new Set(viewer.places.map(({ sessionID }) => sessionID))].map((sessionID) => ({ viewer, sessionID })),
  )
  const bySession = new Map(
    [...Map.groupBy(looks, ({ sessionID }) => sessionID)].map(([id, own]) => [id, own.map(({ viewer }) => viewer)]),
  )
  return { viewers, more: presence.more, readers: presence.readers, bySession }
}
