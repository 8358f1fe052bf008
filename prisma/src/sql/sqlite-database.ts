import { DocketError } from "@docket/core/store"
import Libsql from "libsql"
import type { Database } from "./database.ts"
import { sqlite } from "./dialect.ts"
import { MissingParentError, type Program, type Row, type Step, type Value } from "./program.ts"
import { type TableName, tables, upsertSql } from "./tables.ts"

/** How long a writer of another process may hold the file, in ms. */
const busyTimeout = 10_000
const foreignKeyViolation = "SQLITE_CONSTRAINT_FOREIGNKEY"

export type Connection = InstanceType<typeof Libsql>

/** Opens the file, which is created when it does not exist. */
export function openSqlite(file: string): Connection {
  const connection = new Libsql(file)
  connection.exec(`PRAGMA busy_timeout = ${busyTimeout}`)
  connection.exec("PRAGMA journal_mode = WAL")
  // In WAL mode NORMAL cannot corrupt the file; after a power cut the last commits may be missing.
  connection.exec("PRAGMA synchronous = NORMAL")
  connection.exec("PRAGMA foreign_keys = ON")
  return connection
}

/**
 * Runs programs on one connection without leaving the call, so that no two of them mix and a statement
 * costs no trip through the event loop. Statements are prepared once.
 */
export function createSqliteDatabase(connection: Connection): Database {
  const statements = new Map<string, ReturnType<Connection["prepare"]>>()
  const prepare = (sql: string) => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = connection.prepare(sql.replaceAll(/\$(\d+)/g, "?$1"))
      statements.set(sql, statement)
    }
    return statement
  }
  const execute = (step: Step): Row[] => {
    // The driver types rows as unknown; a row is an object by column name.
    if ("sql" in step) return prepare(step.sql).all(step.params.map(toSqlite)) as Row[]
    const columns = Object.keys(tables[step.table])
    const statement = prepare(upsertSql(step.table, placeholders(step.table)))
    for (const row of step.rows) statement.run(columns.map((name) => toSqlite(columnOf(row, name))))
    return []
  }
  const run = <T>(program: Program<T>): T => {
    let next = program.next()
    while (!next.done) {
      let rows: Row[]
      try {
        rows = execute(next.value)
      } catch (error) {
        next = program.throw(translate(error))
        continue
      }
      next = program.next(rows)
    }
    return next.value
  }
  return {
    dialect: sqlite,
    async read(program) {
      try {
        return run(program)
      } catch (error) {
        throw explain(error)
      }
    },
    async write(program) {
      try {
        connection.exec("BEGIN IMMEDIATE")
        const result = run(program)
        connection.exec("COMMIT")
        return result
      } catch (error) {
        if (connection.inTransaction) connection.exec("ROLLBACK")
        throw explain(error)
      }
    },
    async close() {
      statements.clear()
      connection.close()
    },
  }
}

function placeholders(table: TableName): string {
  const names = Object.keys(tables[table]).map((_, index) => `$${index + 1}`)
  return `VALUES (${names.join(", ")})`
}

function columnOf(row: object, name: string): Value {
  // Rows are typed by table; the column list of the same table names their fields.
  return (row as Record<string, Value>)[name] ?? null
}

function toSqlite(value: Value): string | number | null {
  return typeof value === "boolean" ? Number(value) : value
}

function translate(error: unknown): unknown {
  const broken = error instanceof Libsql.SqliteError && error.code === foreignKeyViolation
  return broken ? new MissingParentError(error.message, { cause: error }) : error
}

/** What a person can put right becomes words; the text of SQLite stays as the cause. */
function explain(error: unknown): unknown {
  if (!(error instanceof Libsql.SqliteError)) return error
  if (error.code.startsWith("SQLITE_FULL")) {
    const words = "The disk with the data directory is full, so nothing was stored. Make room and try again."
    return new DocketError("store_unavailable", words, { cause: error })
  }
  if (/^SQLITE_(?:IOERR|READONLY)/.test(error.code)) {
    const words = `The database cannot be written (${error.message}). Check the disk and the rights of the data directory.`
    return new DocketError("store_unavailable", words, { cause: error })
  }
  return error
}
