import { type AuditQuery, type AuditStore, columnText, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import { StoredBeforeError } from "../sql/database-errors.ts"
import { type Program, queryOnce, text, type Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

export function auditStore(scope: StoreScope): AuditStore {
  const { tenantID, read, write } = scope
  return {
    async add(entries) {
      const rows = entries.map((entry) => rowOf(records.AuditEntry, { tenantID }, entry))
      if (rows.length > 0)
        await write(({ auditEntry }) => auditEntry.createMany({ data: rows })).catch((error) => {
          if (!(error instanceof StoredBeforeError)) throw error
        })
    },
    async read(query) {
      return storedList(scope, records.AuditEntry, await read({ program: () => fitting(scope, query) }))
    },
    async prune(before) {
      const where = { tenantID, at: { lt: before } }
      return (await write(({ auditEntry }) => auditEntry.deleteMany({ where }))).count
    },
  }
}

/** A program, because Prisma's `contains` takes % and _ for wildcards. */
function* fitting({ tenantID, dialect }: StoreScope, query: AuditQuery): Program<{ data: string }[]> {
  const { person, act, since, until, before } = query
  const params: Value[] = [tenantID]
  const param = (value: Value) => `$${params.push(value)}`
  const conditions = [`"tenantID" = $1`]
  if (person !== undefined) conditions.push(`"person" = ${param(columnText(person))}`)
  if (act !== undefined) conditions.push(`"act" = ${param(columnText(act))}`)
  if (since !== undefined) conditions.push(`"at" >= ${param(since)}`)
  if (until !== undefined) conditions.push(`"at" < ${param(until)}`)
  if (query.text !== undefined) conditions.push(dialect.contains(`"text"`, param(columnText(query.text))))
  if (before !== undefined) conditions.push(`"id" < ${param(columnText(before))}`)
  const order = `ORDER BY "id" DESC LIMIT ${param(query.limit)}`
  const rows = yield* queryOnce(`SELECT "data" FROM "AuditEntry" WHERE ${conditions.join(" AND ")} ${order}`, params)
  return rows.map((row) => ({ data: text(row, "data") }))
}
