import type { DocketEvent } from "../schema/index.ts"
import type { Bus } from "./bus.ts"

/** Publishes rows of lists when what they show changes. */
export interface RowNotifier {
  /** Counts a reader of a list until the returned function is called. */
  follow(): () => void
  close(): void
}

export interface RowNotifierDeps {
  bus: Bus
  /** Between two reads (ms): the first change is published at once, later ones together. */
  pauseMs: number
  onError(error: unknown): void
  /** The key of the row that the event may affect; null for none. */
  keyOf(event: DocketEvent): string | null
  /** Reads the rows and publishes them. */
  tell(keys: string[]): Promise<void>
}

/** The longest pause between reads that fail (ms); pauses double up to it. */
const longestPauseMs = 30_000

/** Reads rows once for all readers, and only while there are readers. A failed read is repeated. */
export function createRowNotifier({ bus, pauseMs, onError, keyOf, tell }: RowNotifierDeps): RowNotifier {
  let followers = 0
  let changed = new Set<string>()
  let pause: NodeJS.Timeout | null = null
  let reading = false
  let failures = 0
  let closed = false

  const read = async () => {
    const keys = [...changed]
    changed = new Set()
    reading = true
    try {
      await tell(keys)
      failures = 0
    } catch (error) {
      // Nothing else would ask for these rows again.
      for (const key of keys) changed.add(key)
      failures += 1
      throw error
    } finally {
      reading = false
      pause = setTimeout(next, Math.min(pauseMs * 2 ** failures, longestPauseMs)).unref()
    }
  }
  const start = () => {
    const mayRead = !closed && !reading && pause === null
    if (mayRead && changed.size > 0) read().catch(onError)
  }
  const next = () => {
    pause = null
    start()
  }
  const unsubscribe = bus.subscribe((event) => {
    const key = followers === 0 ? null : keyOf(event)
    if (key === null) return
    changed.add(key)
    start()
  })
  return {
    follow() {
      followers += 1
      return () => {
        followers -= 1
      }
    },
    close() {
      closed = true
      unsubscribe()
      if (pause) clearTimeout(pause)
    },
  }
}
