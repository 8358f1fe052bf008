export interface FeedGate<T> {
  pass(item: T): void
  /** Holds items back until `work` has ended, then passes them on in order. */
  closedDuring<R>(work: () => Promise<R>): Promise<R>
  /** Drops the held items. */
  clear(): void
}

/**
 * Holds the events of a feed while a page is being fetched, and applies them afterwards. An event applied earlier would
 * be overwritten by the older page.
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
