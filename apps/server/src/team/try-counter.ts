/** Counts tries by what they were made for, in windows that begin with the first of them. */
export interface TryCounter {
  /** Seconds until another may be made, when all were used; else null. Counts nothing. */
  wait(key: string): number | null
  add(key: string): void
  /** Takes one back. */
  remove(key: string): void
  clear(key: string): void
  /** How many are remembered. */
  readonly size: number
}

export interface TryCounterOptions {
  most: number
  windowMs: number
  /** More keys than this are not remembered: the oldest goes, so that a flood of names fills no memory. */
  keys: number
  clock(): number
}

export function createTryCounter({ most, windowMs, keys, clock }: TryCounterOptions): TryCounter {
  // In the order in which their windows began, so that the first is over first.
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
