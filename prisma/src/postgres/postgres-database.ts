import type { Pool, PoolClient } from "pg"
import type { Database, LazyClients } from "../sql/database.ts"
import { postgres } from "../sql/dialect.ts"
import type { LazyClient } from "../sql/lazy-client.ts"
import type { Program, Row, Step } from "../sql/program.ts"
import { type TableName, tables, upsertSql } from "../sql/tables.ts"
import { explainClient, explainPostgres } from "./postgres-error.ts"
import type { StatementNames } from "./statement-names.ts"
import { withoutNul } from "./without-nul.ts"

/** Runs programs on a pool, beside the clients, whose adapters are on the same pool. Statements are prepared once per connection. */
export function createPostgresDatabase(pool: Pool, clients: LazyClients, nameOf: StatementNames): Database {
  const execute = async (connection: Pool | PoolClient, step: Step): Promise<Row[]> => {
    const text = "sql" in step ? step.sql : upsertSql(step.table, source(step.table))
    const values = "sql" in step ? step.params.map(withoutNul) : [JSON.stringify(step.rows)]
    const isOnce = "sql" in step && step.isOnce
    const { rows } = await connection.query<Row>({ ...(!isOnce && { name: nameOf(text) }), text, values })
    return rows
  }
  const run = async <T>(connection: Pool | PoolClient, program: Program<T>): Promise<T> => {
    let next = program.next()
    while (!next.done) {
      let rows: Row[]
      try {
        rows = await execute(connection, next.value)
      } catch (error) {
        next = program.throw(explainPostgres(error))
        continue
      }
      next = program.next(rows)
    }
    return next.value
  }
  const transact = async <T>(program: Program<T>): Promise<T> => {
    const connection = await pool.connect().catch(rethrow)
    let broken: Error | undefined
    try {
      await connection.query("BEGIN").catch(rethrow)
      const result = await run(connection, program)
      await connection.query("COMMIT").catch(rethrow)
      return result
    } catch (error) {
      await connection.query("ROLLBACK").catch((reason: Error) => {
        broken = reason
      })
      throw error
    } finally {
      connection.release(broken)
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
    dialect: postgres,
    read: (work) => (typeof work === "function" ? ask(work) : run(pool, work)),
    write: (work) => (typeof work === "function" ? ask(work) : transact(work)),
    accounts: { read: askAccounts, write: askAccounts },
    async close() {
      await Promise.all([clients.records.close(), clients.accounts.close()])
      await pool.end()
    },
  }
}

function source(table: TableName): string {
  const list = Object.keys(tables[table]).map((name) => `"${name}"`)
  return `SELECT ${list.join(", ")} FROM ${postgres.jsonRows("$1", tables[table], "r")}`
}

function rethrow(error: unknown): never {
  throw explainPostgres(error)
}
