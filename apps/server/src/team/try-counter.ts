/** Counts tries by key, in windows that begin with the first try. */
export interface TryCounter {
  /** Counts a try. Null when it may be made; when all are used, seconds until the next, and it does not count. */
  take(key: string): number | null | Promise<number | null>
  /** Takes one try back. */
  giveBack(key: string): void | Promise<void>
  clear(key: string): void | Promise<void>
}

export interface TryCounterOptions {
  /** Allowed tries per key in a window. */
  most: number
  windowMs: number
}

/** Makes the counter of this name, which all processes of a service share. */
export type CreateTryCounter = (name: string, options: TryCounterOptions) => TryCounter

/** Maximum number of keys of a counter in memory: about 10 MB. */
const mostKeys = 50_000

/** Counters of a process that is alone: they are in its memory until it ends. */
export function countersInMemory(clock: () => number): CreateTryCounter {
  return (_name, options) => createTryCounter({ ...options, keys: mostKeys, clock })
}

interface InMemoryOptions extends TryCounterOptions {
  /** Maximum number of keys: the oldest is dropped, so that a flood of names cannot fill the memory. */
  keys: number
  clock(): number
}

export function createTryCounter({ most, windowMs, keys, clock }: InMemoryOptions) {
  // In the order in which their windows began, so that the first expires first.
  const counts = new Map<string, { tries: number; until: number }>()
  const find = (key: string) => {
    const found = counts.get(key)
    if (found && found.until > clock()) return found
    counts.delete(key)
    return undefined
  }
  const makeRoom = () => {
    for (const [key, { until }] of counts) {
      if (until > clock() && counts.size < keys) return
      counts.delete(key)
    }
  }
  return {
    take(key: string): number | null {
      const found = find(key)
      if (found && found.tries >= most) return Math.max(1, Math.ceil((found.until - clock()) / 1_000))
      if (found) found.tries += 1
      else {
        makeRoom()
        counts.set(key, { tries: 1, until: clock() + windowMs })
      }
      return null
    },
    giveBack(key: string): void {
      const found = find(key)
      if (found && found.tries > 1) found.tries -= 1
      else counts.delete(key)
    },
    clear: (key: string): void => void counts.delete(key),
    /** Number of remembered keys. */
    get size() {
      return counts.size
    },
  }
}
