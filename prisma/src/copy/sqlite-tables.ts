import { readdirSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setImmediate as nextTurn } from "node:timers/promises"
import { DocketError } from "@docket/core/store"
import { migrateSqlite } from "../migrate/migrate-sqlite.ts"
import { type Applied, appliedSql, type Migration, pendingMigrations } from "../migrate/migrations.ts"
import { openSqlite } from "../sqlite/open-sqlite.ts"
import {
  batchLength,
  type Cell,
  type CellType,
  rowLength,
  type Table,
  type TableSource,
  type TableTarget,
  tablesOf,
} from "./table.ts"

/** How long to wait for another process that has locked the file (ms). */
const busyTimeoutMs = 10_000

/**
 * The current tables of a file, while a service may go on writing: with SQLite's WAL, a reader sees a snapshot.
 * @throws store_unavailable when there is no such database
 */
export function readSqliteTables(file: string): TableSource {
  const connection = openReader(file)
  try {
    connection.exec("BEGIN")
    // The snapshot is taken by the first statement that reads.
    const migrations = connection.prepare(appliedSql).all() as unknown as Applied[]
    return {
      migrations: migrations.map(({ name }) => name),
      tables: readTables(connection),
      rows: (table) => readRows(connection, table),
      close: async () => connection.close(),
    }
  } catch (error) {
    connection.close()
    throw new DocketError("store_unavailable", `${file} cannot be read as a database of Docket: ${error}`, {
      cause: error,
    })
  }
}

function openReader(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  } catch (error) {
    throw new DocketError("store_unavailable", `there is no database ${file} that can be read: ${error}`, {
      cause: error,
    })
  }
}

/** Creates a new file with empty tables of the named migrations. The file is valid once it is moved to its place. */
export async function fillSqliteTables(
  file: string,
  known: readonly Migration[],
  names: readonly string[],
): Promise<TableTarget> {
  const connection = openSqlite(file)
  const migrate = (migrations: readonly Migration[]) => migrateSqlite({ connection, file, clock: Date.now }, migrations)
  try {
    await migrate(known.filter(({ name }) => names.includes(name)))
    connection.exec("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE")
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    tables: readTables(connection),
    storable: (cell) => cell,
    async insert(table, rows) {
      const statement = connection.prepare(insertSql(table))
      const types = table.columns.map(({ type }) => type)
      for (const row of rows) statement.run(...row.map((cell, at) => toSqlite(cell, types[at])))
      await nextTurn()
    },
    rows: (table) => readRows(connection, table),
    async finish() {
      if (connection.prepare("PRAGMA foreign_key_check").all().length > 0)
        throw new DocketError("invalid_input", "some copied rows refer to rows that are missing in the copy")
      connection.exec("COMMIT; PRAGMA foreign_keys = ON")
      await migrate(known)
      connection.close()
      // The migrations made a backup of the new file. It is not needed, because the source of the copy still exists.
      const prefix = `${basename(file)}.backup-`
      for (const name of readdirSync(dirname(file))) if (name.startsWith(prefix)) rmSync(join(dirname(file), name))
    },
    async abandon() {
      if (connection.isOpen) connection.close()
    },
  }
}

/** Checks that this version can read a database with these migrations. @throws store_unavailable when it cannot */
export function requireKnown(known: readonly Migration[], names: readonly string[]): void {
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]))
  pendingMigrations(
    known,
    names.map((name) => ({ name, checksum: checksums.get(name) ?? "" })),
  )
}

function readTables(connection: DatabaseSync): Table[] {
  const columns = connection
    .prepare(
      `SELECT m."name" AS "table", c."name" AS "name", c."type" AS "declared", c."pk" AS "key"
       FROM sqlite_master m JOIN pragma_table_info(m."name") c WHERE m."type" = 'table'`,
    )
    .all()
  return tablesOf(columns as unknown as Parameters<typeof tablesOf>[0])
}

async function* readRows(connection: DatabaseSync, table: Table): AsyncGenerator<Cell[][]> {
  const statement = connection.prepare(selectSql(table))
  statement.setReturnArrays(true)
  const types = table.columns.map(({ type }) => type)
  let batch: Cell[][] = []
  let length = 0
  for (const values of statement.iterate() as Iterable<unknown>) {
    const row = (values as (string | number | null)[]).map((value, at) => fromSqlite(value, types[at]))
    batch.push(row)
    length += rowLength(row)
    if (length < batchLength) continue
    yield batch
    await nextTurn()
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ")

function selectSql({ name, columns, key }: Table): string {
  return `SELECT ${quoted(columns.map((column) => column.name))} FROM "${name}" ORDER BY ${quoted(key)}`
}

function insertSql({ name, columns }: Table): string {
  return `INSERT INTO "${name}" (${quoted(columns.map((column) => column.name))}) VALUES (${columns.map(() => "?").join(", ")})`
}

function fromSqlite(value: string | number | null, type: CellType | undefined): Cell {
  if (value === null) return null
  if (type === "boolean") return value !== 0
  return type === "time" ? new Date(value).toISOString() : value
}

function toSqlite(cell: Cell, type: CellType | undefined): string | number | null {
  if (typeof cell === "boolean") return cell ? 1 : 0
  // The format in which the client's adapter writes times.
  return type === "time" && typeof cell === "string" ? cell.replace("Z", "+00:00") : cell
}
