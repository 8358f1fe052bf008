import { statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"

/** The rows of a tenant in the database file, by table, without its tokens, whose last use changes. */
export interface TenantRows {
  /**
   * All rows as text, for comparison. Without counters, which refused calls may increase, without the search index,
   * which is written during searches, and without the audit log, which says who tried what.
   */
  text: string
  /** A column of all rows of a table, e.g. the ids. */
  column(table: string, name: string): (string | number)[]
}

interface OpenedFile {
  database: DatabaseSync
  inode: number
  /** SQLite counts what other connections wrote. */
  version: unknown
  rows: Map<string, TenantRows>
}

/** The last file stays open, because tests read the rows of one file again and again, mostly unchanged. */
const opened = new Map<string, OpenedFile>()

/** Reads the file directly, without the isolation of tenants. */
export function readRows(file: string, tenantID: string): TenantRows {
  const { database, rows } = openFile(file)
  const known = rows.get(tenantID) ?? readTenant(database, tenantID)
  rows.set(tenantID, known)
  return known
}

function openFile(file: string): OpenedFile {
  const inode = statSync(file).ino
  let known = opened.get(file)
  if (known?.inode !== inode) {
    for (const { database } of opened.values()) database.close()
    opened.clear()
    known = { database: new DatabaseSync(file, { readOnly: true }), inode, version: null, rows: new Map() }
    opened.set(file, known)
  }
  const version = known.database.prepare("PRAGMA data_version").get()?.data_version
  if (version !== known.version) known.rows.clear()
  known.version = version
  return known
}

/** Tables that a call which changes nothing may write. */
const beside = new Set(["Counter", "AuditEntry"])

function readTenant(database: DatabaseSync, tenantID: string): TenantRows {
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
  return {
    text: JSON.stringify([...rows].filter(([name]) => !beside.has(name) && !name.startsWith("Search"))),
    column: (table, name) =>
      (rows.get(table) ?? []).flatMap((row) => {
        const value = row[name]
        return typeof value === "string" || typeof value === "number" ? [value] : []
      }),
  }
}
