/** Counts tries by key, in windows that begin with the first try. */
export interface TryCounter {
  /** Seconds until another try is allowed, if all are used; else null. Does not count. */
  wait(key: string): number | null
  add(key: string): void
  /** Takes one try back. */
  remove(key: string): void
  clear(key: string): void
  /** Number of remembered keys. */
  readonly size: number
}

export interface TryCounterOptions {
  /** Allowed tries per key in a window. */
  most: number
  windowMs: number
  /** Maximum number of keys: the oldest is dropped, so that a flood of names cannot fill the memory. */
  keys: number
  clock(): number
}

export function createTryCounter({ most, windowMs, keys, clock }: TryCounterOptions): TryCounter {
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
    wait(key) {
      const found = find(key)
      return found && found.tries >= most ? Math.max(1, Math.ceil((found.until - clock()) / 1_000)) : null
    },
    add(key) {
      const found = find(key)
      if (found) found.tries += 1
      else {
        makeRoom()
        counts.set(key, { tries: 1, until: clock() + windowMs })
      }
    },
    remove(key) {
      const found = find(key)
      if (found && found.tries > 1) found.tries -= 1
      else counts.delete(key)
    },
    clear: (key) => void counts.delete(key),
    get size() {
      return counts.size
    },
  }
}
