import type { FeedItem, Turn } from "@docket/core/schema"

/** Records when the turns of a tree ended, and waits for other events. */
export interface TurnWatch {
  handle(item: FeedItem): void
  /** Resolves with `performance.now()` at the event that ends the turn. Rejects when the turn did not complete. */
  completed(turnID: string): Promise<number>
  /** Resolves with `performance.now()` at the next matching event. */
  next(matches: (item: FeedItem) => boolean): Promise<number>
  /** Calls `listener` for every event from now on. */
  hear(listener: (item: FeedItem) => void): void
}

/** `completed` may also be called after the end: a short turn may end before the call that started it returns. */
export function createTurnWatch(): TurnWatch {
  const outcomes = new Map<string, PromiseWithResolvers<number>>()
  const listeners = new Set<(item: FeedItem) => void>()
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
      for (const hear of listeners) hear(item)
    },
    completed: (turnID) => outcome(turnID).promise,
    hear: (listener) => void listeners.add(listener),
    next: (matches) =>
      new Promise((resolve) => {
        const hear = (item: FeedItem) => {
          if (!matches(item)) return
          listeners.delete(hear)
          resolve(performance.now())
        }
        listeners.add(hear)
      }),
  }
}
