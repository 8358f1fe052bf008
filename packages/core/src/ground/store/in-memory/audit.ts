import type { AuditEntry } from "../../schema/index.ts"
import { hasAuditText } from "../audit-text.ts"
import type { AuditQuery, AuditStore } from "../port/index.ts"
import { frozenCopy } from "./frozen-copy.ts"

export function inMemoryAudit(): AuditStore {
  const entries = new Map<string, AuditEntry>()
  return {
    async add(added) {
      for (const { id } of added) if (entries.has(id)) throw new Error(`there is an entry ${id} already`)
      for (const entry of added) entries.set(entry.id, frozenCopy(entry))
    },
    async read(query) {
      const fitting = [...entries.values()].filter((entry) => fits(entry, query))
      return fitting.sort((a, b) => (a.id > b.id ? -1 : 1)).slice(0, query.limit)
    },
    async prune(before) {
      const old = [...entries.values()].filter(({ at }) => at < before)
      for (const { id } of old) entries.delete(id)
      return old.length
    },
  }
}

function fits(entry: AuditEntry, { person, act, since, until, text, before }: AuditQuery): boolean {
  if (person !== undefined && entry.person?.id !== person) return false
  if (act !== undefined && entry.act !== act) return false
  if (entry.at < (since ?? 0) || entry.at >= (until ?? Number.POSITIVE_INFINITY)) return false
  if (before !== undefined && entry.id >= before) return false
  return text === undefined || hasAuditText(entry, text)
}
