import { DatabaseSync } from "node:sqlite"

/** What the database file holds of a tenant: rows by table, without its tokens, whose last use changes. */
export interface TenantRows {
  /**
   * All of it as text, to compare; without the counters, which a refused call of its own may move on, and the index of
   * the search, which is written when somebody searches.
   */
  text: string
  /** A column of every row of a table, e.g. the ids. */
  column(table: string, name: string): (string | number)[]
}

/** Reads the file itself, around everything that keeps tenants apart. */
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
