import { randomUUID } from "node:crypto"
import { createKeyedQueue } from "../concurrency/keyed-queue.ts"
import type { Timers } from "../concurrency/timers.ts"
import type { SecretStore } from "../store/index.ts"
import type { Seal } from "./seal.ts"
import type { SecretKind, Vault } from "./vault.ts"

/** How long a list is used again (ms): lists of providers ask for the same keys many times. */
const freshMs = 1_000
/** After this long without a sign of who works alone with a secret, another may (ms). */
const leaseMs = 15_000
/** How often one who waits for that looks (ms). */
const lookMs = 100

export interface RowVaultDeps {
  secrets: SecretStore
  seal: Seal
  timers: Timers
  /** ms that never go back. */
  now(): number
}

/** Secrets in rows of the database, which several processes share. */
export function createRowVault(deps: RowVaultDeps, tenantID: string): Vault {
  const { secrets, seal, timers, now } = deps
  const lists = new Map<SecretKind, { at: number; found: Promise<ReadonlyMap<string, unknown>> }>()
  const inTurn = createKeyedQueue()
  const list = async (kind: SecretKind) => {
    const rows = await secrets.list({ tenantID, kind })
    return new Map(rows.map((row) => [row.name, seal.open(row)]))
  }
  return {
    async get(kind, name) {
      const row = await secrets.get({ tenantID, kind, name })
      return row === null ? null : seal.open(row)
    },
    all(kind) {
      const known = lists.get(kind)
      if (known !== undefined && now() - known.at < freshMs) return known.found
      const found = list(kind)
      lists.set(kind, { at: now(), found })
      found.catch(() => lists.delete(kind))
      return found
    },
    async change(kind, name, edit) {
      const place = { tenantID, kind, name }
      for (;;) {
        const row = await secrets.get(place)
        const before = row === null ? null : seal.open(row)
        const after = edit(before)
        if (after === before) return before
        const swap = { place, before: row?.sealed ?? null, after: after === null ? null : seal.close(place, after) }
        const isDone = await secrets.swap([swap])
        lists.delete(kind)
        if (isDone) return before
      }
    },
    alone(kind, name, work) {
      const place = { tenantID, kind, name }
      return inTurn(JSON.stringify([kind, name]), async () => {
        const holder = randomUUID()
        while (!(await secrets.lease(place, holder, leaseMs)))
          await new Promise<void>((resolve) => void timers.after(lookMs, resolve))
        // A sign that does not reach the database is followed by the next one.
        const stop = timers.every(leaseMs / 3, () => void secrets.lease(place, holder, leaseMs).catch(() => {}))
        try {
          return await work()
        } finally {
          stop()
          await secrets.release(place, holder).catch(() => {})
        }
      })
    },
  }
}
