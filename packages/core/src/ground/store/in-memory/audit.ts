import type { AuditEntry } from "../../schema/index.ts"
import { hasAuditText } from "../audit-text.ts"
import type { AuditQuery, AuditStore, Records } from "../port/index.ts"
import { auditRecord, auditRows } from "../record/tenant.ts"
import { rowsOf, type Tables } from "./tables.ts"

export function inMemoryAudit(tables: Tables, records: Records): AuditStore {
  return {
    ...auditRows(records),
    async read(query) {
      const fitting = [...rowsOf(tables, auditRecord).values()].filter((entry) => fits(entry, query))
      return fitting.sort((a, b) => (a.id > b.id ? -1 : 1)).slice(0, query.limit)
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
