export interface FeedGate<T> {
  pass(item: T): void
  /** Holds items back until `work` is done, then passes them on in order. */
  closedDuring<R>(work: () => Promise<R>): Promise<R>
  /** Drops what is held. */
  clear(): void
}

/**
 * Stands between a feed and its fold. A page shows rows at one moment; what happens while it is on its
 * way would be older than the page or fall beside it, so it waits and is folded in afterwards.
 */
export function createFeedGate<T>(apply: (item: T) => void): FeedGate<T> {
  let held: T[] = []
  let closedBy = 0
  const open = () => {
    closedBy -= 1
    while (closedBy === 0 && held.length > 0) {
      const items = held
      held = []
      for (const item of items) apply(item)
    }
  }
  return {
    pass(item) {
      if (closedBy > 0) held.push(item)
      else apply(item)
    },
    async closedDuring(work) {
      closedBy += 1
      try {
        return await work()
      } finally {
        open()
      }
    },
    clear() {
      held = []
    },
  }
}
