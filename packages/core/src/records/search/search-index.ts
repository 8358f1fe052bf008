import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { SearchStore } from "../../ground/store/index.ts"

/** Keeps the index at what is stored. Turns do not wait for it: it is written when they rest, or when somebody searches. */
export interface SearchIndex {
  /** Takes in what changed lately. Answers with the share of all that is in the index, from 0 to 1. */
  freshen(): Promise<number>
  /** Goes on in the background, from where an earlier process was. */
  start(): void
  /** Resolves when nothing is being written any more. */
  close(): Promise<void>
}

export interface SearchIndexDeps {
  store: Pick<SearchStore, "index" | "progress">
  bus: Bus
  timers?: Timers
  onError(error: unknown): void
}

/** Parts that one transaction takes at most: some 10 ms, in which nothing else is done on SQLite. */
const batch = 64
/** Batches for which a search waits. */
const freshBatches = 16
/** How long nothing has to be stored before the background goes on, and how long that may put it off (ms). */
const rest = { least: 2_000, most: 30_000 } as const
/** The least pause between two batches in the background (ms); it also rests for as long as the last one took. */
const leastPause = 10

export function createSearchIndex({ store, bus, timers = nodeTimers, onError }: SearchIndexDeps): SearchIndex {
  let working: Promise<unknown> = Promise.resolve()
  let isClosed = false
  /** What cancels the next batch: put off while something is stored, and one that is not. */
  let atRest = () => {}
  let atLast: (() => void) | null = null

  /** One at a time: two would do the same. */
  const take = (): Promise<boolean> => {
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
    if (await take()) later(Math.max(leastPause, performance.now() - began))
  }
  const run = () => void goOn().catch(onError)
  const later = (ms: number) => {
    atRest()
    if (!isClosed) atRest = timers.after(ms, run)
  }
  const unsubscribe = bus.subscribe(({ seq }) => {
    if (seq === null || isClosed) return
    later(rest.least)
    atLast ??= timers.after(rest.most, run)
  })
  return {
    async freshen() {
      try {
        for (let count = 0; count < freshBatches; count++) if (!(await take())) return 1
        const { indexed, all } = await store.progress()
        return all === 0 ? 1 : indexed / all
      } catch (error) {
        // What is in the index is found all the same.
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
