/** Of refusals of one person for one thing, one is written down in so long (ms), with how many there were. */
const pauseMs = 60 * 60_000
/** Most that are counted at once; the one that was counted first is forgotten. */
const most = 10_000

export interface RefusalSample {
  /** How many refusals an entry of now stands for, this one included; null when none is to be written. */
  take(key: string, now: number): number | null
}

/** Keeps who is refused again and again from filling the disk. */
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
      if (known.size >= most && oldest !== undefined) known.delete(oldest)
      known.set(key, { until: now + pauseMs, skipped: 0 })
      return 1 + (before?.skipped ?? 0)
    },
  }
}
