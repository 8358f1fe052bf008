import type { CreateId } from "../../ground/id/create-id.ts"
import type { AuditEntry } from "../../ground/schema/index.ts"
import type { AuditStore } from "../../ground/store/index.ts"
import type { AuditLog, NewAuditEntry } from "./audit-log.ts"

export interface AuditLogDeps {
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
