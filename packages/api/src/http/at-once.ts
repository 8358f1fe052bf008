import type { ServerResponse } from "node:http"

/** For whom something is done, and how much of it may be done for them at once. */
export type Claim = readonly [key: string, most: number]

/** Counts the answers that are under way, by whom they are for. */
export interface AtOnce {
  /** Counts one for all of these until its connection is done with it. False when too much is under way for one of them. */
  begin(claims: readonly Claim[], res: ServerResponse): boolean
}

export function createAtOnce(): AtOnce {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  const set = (key: string, count: number) => (count > 0 ? counts.set(key, count) : counts.delete(key))
  return {
    begin(claims, res) {
      if (claims.some(([key, most]) => countOf(key) >= most)) return false
      // Who hung up before is told of no more: nothing would end it.
      if (res.destroyed) return true
      for (const [key] of claims) set(key, countOf(key) + 1)
      res.once("close", () => {
        for (const [key] of claims) set(key, countOf(key) - 1)
      })
      return true
    },
  }
}
