/** One refusal of a person for one capability is recorded in this time (ms), with the number of those skipped. */
const pauseMs = 60 * 60_000
/** Keys that are counted at once. With more, the oldest is forgotten. */
const maxKeys = 10_000

export interface RefusalSample {
  /** How many refusals an entry at `now` stands for, with this one; null when no entry is due. */
  take(key: string, now: number): number | null
}

/** Stops somebody who is refused again and again from filling the disk. */
export function createRefusalSample(): RefusalSample {
  const known = new Map<string, { until: number; skipped: number }>()
  return {
    take(key, now) {
      const before = known.get(key)
      if (before && before.until > now) {
        before.skipped += 1
        return null
      }
      known.delete(key)
      const [oldest] = known.keys()
      if (known.size >= maxKeys && oldest !== undefined) known.delete(oldest)
      known.set(key, { until: now + pauseMs, skipped: 0 })
      return 1 + (before?.skipped ?? 0)
    },
  }
}
