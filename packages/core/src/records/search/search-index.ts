import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { SearchStore } from "../../ground/store/index.ts"

/**
 * Keeps the search index up to date. Turns do not wait for it: changes are indexed while the store is idle, or before a
 * search.
 */
export interface SearchIndex {
  /** Indexes recent changes. Returns the share of all content that is indexed, from 0 to 1. */
  freshen(): Promise<number>
  /** Continues in the background from where an earlier process stopped. */
  start(): void
  /** Resolves when no write is in progress. */
  close(): Promise<void>
}

export interface SearchIndexDeps {
  store: Pick<SearchStore, "index" | "progress">
  bus: Bus
  timers?: Timers
  onError(error: unknown): void
}

/** Most parts in one transaction: about 10 ms, during which SQLite does nothing else. */
const batch = 64
/** Most batches that a search waits for. */
const freshBatches = 16
/** ms without writes before background indexing continues, and the longest time that writes may delay it. */
const rest = { least: 2_000, most: 30_000 } as const
/** Shortest pause between two background batches (ms); it also pauses for as long as the last batch took. */
const leastPause = 10

export function createSearchIndex({ store, bus, timers = nodeTimers, onError }: SearchIndexDeps): SearchIndex {
  let working: Promise<unknown> = Promise.resolve()
  let isClosed = false
  /** Cancel the two timers of the next batch: each write puts off `atRest`, but not `atLast`. */
  let atRest = () => {}
  let atLast: (() => void) | null = null

  /** Indexes a batch; false when nothing was left. One at a time, because two would index the same changes. */
  const indexBatch = (): Promise<boolean> => {
    const next = working.then(() => !isClosed && store.index(batch))
    working = next.catch(() => {})
    return next
  }
  const cancel = () => {
    atRest()
    atLast?.()
    atLast = null
  }
  const goOn = async () => {
    cancel()
    const began = performance.now()
    if (await indexBatch()) later(Math.max(leastPause, performance.now() - began))
  }
  const run = () => void goOn().catch(onError)
  const later = (ms: number) => {
    atRest()
    if (!isClosed) atRest = timers.after(ms, run)
  }
  const unsubscribe = bus.subscribe(({ seq, type }) => {
    // Text is written as well, though no event says when.
    const isWritten = seq !== null || type === "message.part.delta"
    if (!isWritten || isClosed) return
    later(rest.least)
    atLast ??= timers.after(rest.most, run)
  })
  return {
    async freshen() {
      try {
        for (let count = 0; count < freshBatches; count++) if (!(await indexBatch())) return 1
        const { indexed, all } = await store.progress()
        return all === 0 ? 1 : indexed / all
      } catch (error) {
        // Search anyway: what is already indexed can be found.
        onError(error)
        return 1
      }
    },
    start: () => later(0),
    async close() {
      isClosed = true
      unsubscribe()
      cancel()
      await working
    },
  }
}
