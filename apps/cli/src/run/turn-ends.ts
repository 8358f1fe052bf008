import type { FeedItem, Turn } from "@docket/core/schema"

/** Collects ended turns from events. A short turn may end before the caller of `of` knows its id. */
export interface TurnEnds {
  handle(item: FeedItem): void
  of(turnID: string): Promise<Turn>
}

export function createTurnEnds(): TurnEnds {
  const ends = new Map<string, PromiseWithResolvers<Turn>>()
  const endOf = (id: string) => {
    const known = ends.get(id) ?? Promise.withResolvers<Turn>()
    ends.set(id, known)
    return known
  }
  return {
    handle(item) {
      if (item.type !== "turn.updated") return
      const { turn } = item.properties
      if (turn.status !== "queued" && turn.status !== "running") endOf(turn.id).resolve(turn)
    },
    of: (turnID) => endOf(turnID).promise,
  }
}
