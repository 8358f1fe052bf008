import type { Identity } from "@docket/api"

/**
 * How long an identity is cached (ms). Revocations by this service clear the cache at once; this limit is for another
 * process on the same database. Open streams are checked every `lookEveryMs`: both together stay below the 5 s after
 * which a stream of a revoked user must end, with half a second for the database.
 */
export const believedMs = 2_500
/** Maximum number of cached identities. */
const mostCached = 10_000

export interface IdentityCache {
  /** Returns a cached identity at once; parallel requests share one lookup. Only successful lookups are cached. */
  of(credential: string, find: () => Promise<Identity | null>): Identity | Promise<Identity | null>
  /** Forgets all identities, because someone's rights have changed. */
  clear(): void
}

export function createIdentityCache(clock: () => number): IdentityCache {
  const known = new Map<string, { identity: Identity; until: number }>()
  const asking = new Map<string, Promise<Identity | null>>()
  /** Increases at each `clear`, so that older lookups are not cached. */
  let generation = 0
  const ask = async (credential: string, find: () => Promise<Identity | null>) => {
    const began = generation
    const identity = await find()
    if (identity === null || began !== generation) return identity
    const [oldest] = known.keys()
    if (known.size >= mostCached && oldest !== undefined) known.delete(oldest)
    known.set(credential, { identity, until: clock() + believedMs })
    return identity
  }
  return {
    of(credential, find) {
      const cached = known.get(credential)
      if (cached && cached.until > clock()) return cached.identity
      known.delete(credential)
      const running = asking.get(credential)
      if (running) return running
      const answer = ask(credential, find).finally(() => {
        if (asking.get(credential) === answer) asking.delete(credential)
      })
      asking.set(credential, answer)
      return answer
    },
    clear() {
      generation += 1
      known.clear()
      asking.clear()
    },
  }
}
