import type { FeedItem, Turn } from "@docket/core/schema"

/** Ends of turns as events tell of them. A short turn may end before who waits for it knows its id. */
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
