import type { TenantHoldings } from "@docket/core/store"
import { number, type Program, query, text } from "../sql/program.ts"
import { type TableName, tables } from "../sql/tables.ts"

/** Whoever owns anything has a row in one of these: every other row belongs to a row of a tree. */
const ownTables = [
  "ApiToken",
  "ConfigTrust",
  "Counter",
  "Project",
  "Tree",
  "Todo",
  "Memory",
  "Schedule",
] satisfies TableName[]

const count = (table: TableName) =>
  `(SELECT CAST(COUNT(*) AS INTEGER) FROM "${table}" c WHERE c."tenantID" = t."tenantID")`

export function* listTenants(): Program<TenantHoldings[]> {
  const owners = ownTables.map((table) => `SELECT "tenantID" FROM "${table}"`).join(" UNION ")
  const rows = yield* query(
    `SELECT t."tenantID" AS "id", ${count("Session")} AS "sessions", ${count("Todo")} AS "todos",
     ${count("Memory")} AS "memories", ${count("Schedule")} AS "schedules" FROM (${owners}) AS t`,
  )
  const holdings = rows.map((row) => ({
    id: text(row, "id"),
    sessions: number(row, "sessions"),
    todos: number(row, "todos"),
    memories: number(row, "memories"),
    schedules: number(row, "schedules"),
  }))
  return holdings.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Deletes the tenant's rows of every table; foreign keys take some of them along. */
export function* removeTenant(tenantID: string): Program<void> {
  for (const table of Object.keys(tables)) yield* query(`DELETE FROM "${table}" WHERE "tenantID" = $1`, tenantID)
}
