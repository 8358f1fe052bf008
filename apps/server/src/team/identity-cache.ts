import type { Identity } from "@docket/api"

/**
 * How long an answer is believed (ms). What is revoked in this service is forgotten at once; this is for what another process
 * on the same database revokes. Who holds a stream open is asked for again every `lookEveryMs`: both together stay below the
 * 5 s within which a stream of a revoked person ends, with half a second for the database.
 */
export const believedMs = 2_500
const most = 10_000

export interface IdentityCache {
  /** Answers at once with what is known; several requests at a time ask once. Only who is somebody is kept. */
  of(credential: string, find: () => Promise<Identity | null>): Identity | Promise<Identity | null>
  /** Forgets everyone: somebody's rights have changed. */
  clear(): void
}

export function createIdentityCache(clock: () => number): IdentityCache {
  const known = new Map<string, { identity: Identity; until: number }>()
  const asking = new Map<string, Promise<Identity | null>>()
  /** Grows when everyone is forgotten, so that an answer from before is not kept. */
  let age = 0
  const ask = async (credential: string, find: () => Promise<Identity | null>) => {
    const began = age
    const identity = await find()
    if (identity === null || began !== age) return identity
    const [oldest] = known.keys()
    if (known.size >= most && oldest !== undefined) known.delete(oldest)
    known.set(credential, { identity, until: clock() + believedMs })
    return identity
  }
  return {
    of(credential, find) {
      const kept = known.get(credential)
      if (kept && kept.until > clock()) return kept.identity
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
      age += 1
      known.clear()
      asking.clear()
    },
  }
}
