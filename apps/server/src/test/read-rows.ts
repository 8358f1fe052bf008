import { DatabaseSync } from "node:sqlite"

/** The rows of a tenant in the database file, by table, without its tokens, whose last use changes. */
export interface TenantRows {
  /**
   * All rows as text, for comparison. Without counters, which refused calls may increase, and without the search index,
   * which is written during searches.
   */
  text: string
  /** A column of all rows of a table, e.g. the ids. */
  column(table: string, name: string): (string | number)[]
}

/** Reads the file directly, without the isolation of tenants. */
export function readRows(file: string, tenantID: string): TenantRows {
  const database = new DatabaseSync(file, { readOnly: true })
  const found = database.prepare(
    `SELECT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c
     WHERE m.type = 'table' AND c.name = 'tenantID' AND m.name <> 'ApiToken' ORDER BY m.name`,
  )
  const names = found.all().map((row) => String(row.name))
  const rows = new Map(
    names.map((name) => [
      name,
      database.prepare(`SELECT * FROM "${name}" WHERE tenantID = ? ORDER BY 1, 2`).all(tenantID),
    ]),
  )
  database.close()
  return {
    text: JSON.stringify([...rows].filter(([name]) => name !== "Counter" && !name.startsWith("Search"))),
    column: (table, name) =>
      (rows.get(table) ?? []).flatMap((row) => {
        const value = row[name]
        return typeof value === "string" || typeof value === "number" ? [value] : []
      }),
  }
}
