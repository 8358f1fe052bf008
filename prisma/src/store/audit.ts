import { type AuditQuery, type AuditStore, auditRows, columnText, type Records, records } from "@docket/core/store"
import { storedList } from "../row/stored.ts"
import { type Program, queryOnce, text, type Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

export function auditStore(scope: StoreScope, rows: Records): AuditStore {
  return {
    ...auditRows(rows),
    async read(query) {
      return storedList(scope, records.AuditEntry, await scope.read({ program: () => fitting(scope, query) }))
    },
  }
}

/** A program, because Prisma's `contains` treats % and _ as wildcards. */
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
