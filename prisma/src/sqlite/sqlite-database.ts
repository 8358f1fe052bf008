import type { DatabaseSync, StatementSync } from "node:sqlite"
import { DuplicateError, MissingParentError } from "@docket/core/store"
import type { Database, LazyClients } from "../sql/database.ts"
import { sqlite } from "../sql/dialect.ts"
import type { LazyClient } from "../sql/lazy-client.ts"
import type { Program, Row, Step, Value } from "../sql/program.ts"
import { type TableName, tables, upsertSql } from "../sql/tables.ts"
import type { ConnectionLock } from "./connection-lock.ts"
import { constraint, explainClient, explainSqlite, isSqliteError } from "./sqlite-error.ts"

/**
 * Runs programs synchronously on one connection, so that they never mix and a statement needs no trip through the event
 * loop. The Prisma clients share the connection and its lock. Statements are prepared once.
 */
export function createSqliteDatabase(connection: DatabaseSync, lock: ConnectionLock, clients: LazyClients): Database {
  const statements = new Map<string, StatementSync>()
  const prepareOnce = (sql: string) => connection.prepare(sql.replaceAll(/\$(\d+)/g, "?$1"))
  const prepare = (sql: string) => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = prepareOnce(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  const upserts = new Map<TableName, StatementSync>()
  const upsertInto = (table: TableName) => {
    const known = upserts.get(table)
    if (known) return known
    const statement = prepare(upsertSql(table, placeholders(table)))
    upserts.set(table, statement)
    return statement
  }
  const execute = (step: Step): Row[] => {
    if ("sql" in step) return (step.isOnce ? prepareOnce : prepare)(step.sql).all(...step.params.map(toSqlite))
    // One process does all the work of a file, and needs no jobs.
    if ("jobs" in step) return []
    const columns = Object.keys(tables[step.table])
    const statement = upsertInto(step.table)
    for (const row of step.rows) statement.run(...columns.map((name) => toSqlite(columnOf(row, name))))
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
  const transact = <T>(program: Program<T>): T => {
    connection.exec("BEGIN IMMEDIATE")
    try {
      const result = run(program)
      connection.exec("COMMIT")
      return result
    } finally {
      if (connection.isTransaction) connection.exec("ROLLBACK")
    }
  }
  const asking =
    <Client>(client: LazyClient<Client>) =>
    <T>(calls: (client: Client) => Promise<T>): Promise<T> =>
      client.run(calls).catch((error) => {
        throw explainClient(error)
      })
  const ask = asking(clients.records)
  const askAccounts = asking(clients.accounts)
  return {
    dialect: sqlite,
    read: (work) => (typeof work === "function" ? ask(work) : lock.alone(() => explained(() => run(work.program())))),
    write: (work) =>
      typeof work === "function" ? ask(work) : lock.alone(() => explained(() => transact(work.program()))),
    accounts: { read: askAccounts, write: askAccounts },
    async close() {
      await Promise.all([clients.records.close(), clients.accounts.close()])
      statements.clear()
      upserts.clear()
      connection.close()
    },
  }
}

function placeholders(table: TableName): string {
  const names = Object.keys(tables[table]).map((_, index) => `$${index + 1}`)
  return `VALUES (${names.join(", ")})`
}

function columnOf(row: object, name: string): Value {
  // The columns of the row's table are the names of its fields.
  return (row as Record<string, Value>)[name] ?? null
}

function toSqlite(value: Value): string | number | null {
  return typeof value === "boolean" ? Number(value) : value
}

function translate(error: unknown): unknown {
  if (!isSqliteError(error)) return error
  const { errcode, message } = error
  if (errcode === constraint.foreignKey) return new MissingParentError(message, { cause: error })
  return errcode === constraint.unique ? new DuplicateError(message, { cause: error }) : error
}

function explained<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw (isSqliteError(error) && explainSqlite(error.errcode, error.message, error)) || error
  }
}
