import type { Timers } from "../../ground/concurrency/timers.ts"
import type { AuditStore } from "../../ground/store/index.ts"

export interface KeepAuditDeps {
  store: AuditStore
  /** How many days entries are kept. */
  days(): Promise<number>
  clock(): number
  timers: Timers
  onError(error: unknown): void
}

const dayMs = 24 * 60 * 60_000

/** How long entries are kept unless something else is set (days). */
export const usualDays = 365

/**
 * Removes the entries of a workspace that are too old, now and once a day. What it answers with ends that, and resolves
 * when nothing of it is under way any more: the store may be closed then.
 */
export function keepAudit({ store, days, clock, timers, onError }: KeepAuditDeps): () => Promise<void> {
  let last = Promise.resolve()
  const prune = async () => {
    await store.prune(clock() - (await days()) * dayMs)
  }
  const run = () => {
    last = last.then(prune).catch(onError)
  }
  run()
  const cancel = timers.every(dayMs, run)
  return () => {
    cancel()
    return last
  }
}
