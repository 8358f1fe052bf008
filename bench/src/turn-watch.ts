import type { FeedItem, Turn } from "@docket/core/schema"

/** Records when the turns of a tree ended, and waits for other events. */
export interface TurnWatch {
  handle(item: FeedItem): void
  /** `performance.now()` at the event for its end. Rejects when the turn did not complete. */
  completed(turnID: string): Promise<number>
  /** The same for the next matching event. */
  next(matches: (item: FeedItem) => boolean): Promise<number>
  /** Calls `listener` for every event from now on. */
  hear(listener: (item: FeedItem) => void): void
}

/** Works in either order: a short turn may end before the call that started it has returned. */
export function createTurnWatch(): TurnWatch {
  const outcomes = new Map<string, PromiseWithResolvers<number>>()
  const awaited = new Set<(item: FeedItem) => void>()
  const outcome = (turnID: string) => {
    const known = outcomes.get(turnID)
    if (known) return known
    const made = Promise.withResolvers<number>()
    made.promise.catch(() => {})
    outcomes.set(turnID, made)
    return made
  }
  const settle = (turn: Turn) => {
    if (turn.status === "queued" || turn.status === "running") return
    if (turn.status === "completed") outcome(turn.id).resolve(performance.now())
    else outcome(turn.id).reject(new Error(`turn ${turn.status}: ${turn.error?.message ?? "no reason given"}`))
  }
  return {
    handle(item) {
      if (item.type === "turn.updated") settle(item.properties.turn)
      for (const hear of awaited) hear(item)
    },
    completed: (turnID) => outcome(turnID).promise,
    hear: (listener) => void awaited.add(listener),
    next: (matches) =>
      new Promise((resolve) => {
        const hear = (item: FeedItem) => {
          if (!matches(item)) return
          awaited.delete(hear)
          resolve(performance.now())
        }
        awaited.add(hear)
      }),
  }
}
