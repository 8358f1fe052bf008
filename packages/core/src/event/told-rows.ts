import type { DocketEvent } from "../schema/index.ts"
import type { Bus } from "./bus.ts"

/** Rows of lists that are told when something changed that they show. */
export interface ToldRows {
  /** Somebody shows a list, from now until what it answers with is called. */
  follow(): () => void
  close(): void
}

export interface ToldRowsDeps {
  bus: Bus
  /** Between two readings of rows (ms): the first change is told at once, those that follow in one go. */
  pauseMs: number
  onError(error: unknown): void
  /** The row that the event may have changed; null for none. */
  keyOf(event: DocketEvent): string | null
  /** Reads the rows and publishes them. */
  tell(keys: string[]): Promise<void>
}

/** Rows are read once for all readers, and only while there are some. */
export function createToldRows({ bus, pauseMs, onError, keyOf, tell }: ToldRowsDeps): ToldRows {
  let followers = 0
  let changed = new Set<string>()
  let pause: NodeJS.Timeout | null = null
  let reading = false

  const read = async () => {
    const keys = [...changed]
    changed = new Set()
    reading = true
    await tell(keys).finally(() => {
      reading = false
      pause = setTimeout(next, pauseMs).unref()
    })
  }
  const start = () => {
    if (changed.size > 0 && !reading && pause === null) read().catch(onError)
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
      unsubscribe()
      changed.clear()
      if (pause) clearTimeout(pause)
    },
  }
}
