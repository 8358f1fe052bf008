/** Limits how often something may be tried for each key. */
export interface TryLimit {
  /** Counts a try. Null when it may be made; after too many tries, how long to wait for the next (ms). */
  take(key: string): number | null | Promise<number | null>
  /** Takes a try back, because it was right. */
  giveBack(key: string): void | Promise<void>
}

export interface TryLimitOptions {
  /** How many tries may be made at once. */
  most: number
  /** After this time there is one more try (ms). */
  refillMs: number
}

/** Makes the limit of this name, which all processes of a service share. */
export type CreateTryLimit = (name: string, options: TryLimitOptions) => TryLimit

/** How many keys are counted. With more, the one with the oldest try is forgotten. */
const capacity = 4_096

/** A limit that one process counts in its memory. */
export function createTryLimit({ most, refillMs, clock }: TryLimitOptions & { clock: () => number }) {
  /** For each key, when it will have all its tries again (epoch ms), the last to try at the end. */
  const fullAt = new Map<string, number>()
  const set = (key: string, at: number) => {
    fullAt.delete(key)
    fullAt.set(key, at)
    for (const oldest of fullAt.keys()) if (fullAt.size > capacity) fullAt.delete(oldest)
  }
  return {
    take(key: string): number | null {
      const now = clock()
      const next = Math.max(fullAt.get(key) ?? 0, now) + refillMs
      const wait = next - (now + most * refillMs)
      if (wait > 0) return wait
      set(key, next)
      return null
    },
    giveBack(key: string): void {
      const at = fullAt.get(key)
      if (at !== undefined) set(key, at - refillMs)
    },
  }
}
