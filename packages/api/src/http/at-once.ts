/** For whom something is done, and how much of it may be done for them at once. */
export type Claim = readonly [key: string, most: number]

/** Counts what is under way, by whom it is for. */
export interface AtOnce {
  /** Begins something for all of these; what it answers with ends it. Null when too much is under way for one of them. */
  begin(claims: readonly Claim[]): (() => void) | null
}

export function createAtOnce(): AtOnce {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  const set = (key: string, count: number) => (count > 0 ? counts.set(key, count) : counts.delete(key))
  return {
    begin(claims) {
      if (claims.some(([key, most]) => countOf(key) >= most)) return null
      for (const [key] of claims) set(key, countOf(key) + 1)
      let isUnderWay = true
      return () => {
        if (isUnderWay) for (const [key] of claims) set(key, countOf(key) - 1)
        isUnderWay = false
      }
    },
  }
}
