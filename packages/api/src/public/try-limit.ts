/** How often something may be tried, by who or what it is counted for. */
export interface TryLimit {
  /** Counts a try. When there were too many of late it is not to be made: answers after how long (ms) one may be, else null. */
  take(key: string): number | null
  /** Takes a try back that was none: it was right. */
  giveBack(key: string): void
}

export interface TryLimitOptions {
  /** Tries that may be made at once. */
  most: number
  /** After this time one more may be made (ms). */
  refillMs: number
  clock: () => number
}

/** Keys that are counted at once: with more, the one that tried longest ago is forgotten. */
const capacity = 4_096

export function createTryLimit({ most, refillMs, clock }: TryLimitOptions): TryLimit {
  /** By key, when all its tries will be there again (epoch ms); who tried last comes last. */
  const full = new Map<string, number>()
  const set = (key: string, at: number) => {
    full.delete(key)
    full.set(key, at)
    for (const oldest of full.keys()) if (full.size > capacity) full.delete(oldest)
  }
  return {
    take(key) {
      const now = clock()
      const next = Math.max(full.get(key) ?? 0, now) + refillMs
      const wait = next - (now + most * refillMs)
      if (wait > 0) return wait
      set(key, next)
      return null
    },
    giveBack(key) {
      const at = full.get(key)
      if (at !== undefined) set(key, at - refillMs)
    },
  }
}
