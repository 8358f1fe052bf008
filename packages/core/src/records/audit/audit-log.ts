import type { DutyWork } from "../../ground/concurrency/duty.ts"
import { createRepeated } from "../../ground/concurrency/repeated.ts"
import type { Timers } from "../../ground/concurrency/timers.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { AuditEntry, Webhook } from "../../ground/schema/index.ts"
import type { AuditQuery, AuditStore, Page } from "../../ground/store/index.ts"

export type NewAuditEntry = Omit<AuditEntry, "id">

/** The audit logs of all workspaces. Entries can be added and read, and old ones are removed; none can be changed. */
export interface AuditLog {
  /**
   * Resolves when the entry is stored. Never rejects, because the act has happened even if it could not be recorded.
   */
  add(workspace: string, entry: NewAuditEntry): Promise<void>
  /** Newest entries first. */
  read(
    workspace: string,
    query: Omit<AuditQuery, "before"> & { cursor?: string | undefined },
  ): Promise<Page<AuditEntry>>
}

interface AuditLogDeps {
  storeOf(workspace: string): AuditStore
  createID: CreateId
  /** Called for entries that could not be stored. */
  onError(error: unknown): void
}

/** Most entries that one write stores. */
const batch = 200

/** Entries that arrive during a write are stored together in the next one, in their order. */
export function createAuditLog({ storeOf, createID, onError }: AuditLogDeps): AuditLog & { flushed(): Promise<void> } {
  const waiting = new Map<string, AuditEntry[]>()
  const writing = new Map<string, Promise<void>>()
  const writeAll = async (workspace: string) => {
    for (;;) {
      const entries = waiting.get(workspace)?.splice(0, batch) ?? []
      if (entries.length === 0) break
      await storeOf(workspace).add(entries).catch(onError)
    }
    waiting.delete(workspace)
    writing.delete(workspace)
  }
  return {
    async add(workspace, entry) {
      const entries = waiting.get(workspace) ?? []
      waiting.set(workspace, entries)
      entries.push({ id: createID("audit"), ...bounded(entry) })
      const written = writing.get(workspace) ?? Promise.resolve().then(() => writeAll(workspace))
      writing.set(workspace, written)
      await written
    },
    async read(workspace, { cursor, limit, ...query }) {
      const found = await storeOf(workspace).read({ ...query, before: cursor, limit: limit + 1 })
      const items = found.slice(0, limit)
      return { items, cursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
    },
    flushed: async () => void (await Promise.all(writing.values())),
  }
}

/** Most characters kept of a name, an id or a fact, because a client may send text of any length. */
const kept = 300

function bounded({ targets, facts, ...entry }: NewAuditEntry): NewAuditEntry {
  const short = <T>(value: T): T => (typeof value === "string" ? (value.slice(0, kept) as T) : value)
  const all = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, short(value)]))
  return { ...entry, targets: all(targets), facts: all(facts) }
}

interface KeepAuditDeps {
  store: AuditStore
  /** How many days entries are kept. */
  days(): Promise<number>
  clock(): number
  timers: Timers
  onError(error: unknown): void
}

const dayMs = 24 * 60 * 60_000

/** Days that entries are kept by default. */
export const defaultAuditDays = 365

/** Removes old entries of a workspace at its beginning and once a day. */
export function keepAudit({ store, days, clock, timers, onError }: KeepAuditDeps): DutyWork {
  const pruning = createRepeated({ ms: dayMs, timers, onError }, async () => {
    await store.prune(clock() - (await days()) * dayMs)
  })
  return { begin: async () => pruning.start(), end: pruning.stop }
}

/** The actor for acts of the service itself. */
const service = { id: "docket", name: "Docket" }

/** The audit entry for a webhook that the service disabled. */
export function disabledWebhookEntry(createID: CreateId, { id, name, disabled, time }: Webhook): AuditEntry {
  return {
    id: createID("audit"),
    at: disabled?.at ?? time.updated,
    act: "webhook.disabled",
    person: service,
    call: "webhook.disabled",
    via: "service",
    credential: null,
    address: null,
    targets: { webhook: id, name },
    facts: { why: disabled?.why === "gone" ? "answered 410" : "failed for days" },
  }
}
