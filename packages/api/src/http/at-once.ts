import type { ServerResponse } from "node:http"

/** For whom an answer counts, and how many answers they may have at once. */
export type Claim = readonly [key: string, most: number]

/** Counts the answers in progress for each key. */
export interface AtOnce {
  /** Counts the answer for each claim until its connection closes. False when a claim already has its maximum. */
  begin(claims: readonly Claim[], res: ServerResponse): boolean
}

export function createAtOnce(): AtOnce {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  const set = (key: string, count: number) => (count > 0 ? counts.set(key, count) : counts.delete(key))
  return {
    begin(claims, res) {
      if (claims.some(([key, most]) => countOf(key) >= most)) return false
      // A connection that has already closed sends no more events, so nothing would end the count.
      if (res.destroyed) return true
      for (const [key] of claims) set(key, countOf(key) + 1)
      res.once("close", () => {
        for (const [key] of claims) set(key, countOf(key) - 1)
      })
      return true
    },
  }
}
