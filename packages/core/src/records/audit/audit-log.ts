import type { Timers } from "../../ground/concurrency/timers.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { AuditEntry, Webhook } from "../../ground/schema/index.ts"
import type { AuditQuery, AuditStore, Page } from "../../ground/store/index.ts"

interface AuditLogDeps {
  storeOf(workspace: string): AuditStore
  createID: CreateId
  /** Hears of entries that could not be stored. */
  onError(error: unknown): void
}

/** Most entries that are written at once. */
const batch = 200

/** Entries that come while others are being written are written together, in the order in which they came. */
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

/** Characters of a name, an id or a fact that are kept; a strange client may send any number. */
const kept = 300

function bounded({ targets, facts, ...entry }: NewAuditEntry): NewAuditEntry {
  const short = <T>(value: T): T => (typeof value === "string" ? (value.slice(0, kept) as T) : value)
  const all = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, short(value)]))
  return { ...entry, targets: all(targets), facts: all(facts) }
}

export type NewAuditEntry = Omit<AuditEntry, "id">

/** The audit logs of all workspaces: entries are added, read, and in time forgotten. There is no other way to change one. */
export interface AuditLog {
  /** Resolves when it is stored. Never rejects: what happened has happened, whether it could be written or not. */
  add(workspace: string, entry: NewAuditEntry): Promise<void>
  /** What was written last comes first. */
  read(
    workspace: string,
    query: Omit<AuditQuery, "before"> & { cursor?: string | undefined },
  ): Promise<Page<AuditEntry>>
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

/** As the log names who did what nobody asked for. */
const service = { id: "docket", name: "Docket" }

/** What the audit log says of a webhook that the service disabled by itself. */
export function disabledWebhookEntry(createID: CreateId, { id, name, disabled, time }: Webhook): AuditEntry {
  return {
    ...{ id: createID("audit"), at: disabled?.at ?? time.updated, act: "webhook.disabled", person: service },
    ...{ call: "webhook.disabled", via: "service", credential: null, address: null },
    targets: { webhook: id, name },
    facts: { why: disabled?.why === "gone" ? "answered 410" : "failed for days" },
  }
}
