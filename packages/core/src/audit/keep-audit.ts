import type { Timers } from "../concurrency/timers.ts"
import type { AuditStore } from "../store/index.ts"

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

/** Removes the entries of a workspace that are too old, now and once a day, until what it answers with is called. */
export function keepAudit({ store, days, clock, timers, onError }: KeepAuditDeps): () => void {
  const prune = async () => {
    await store.prune(clock() - (await days()) * dayMs)
  }
  const run = () => void prune().catch(onError)
  run()
  return timers.every(dayMs, run)
}
