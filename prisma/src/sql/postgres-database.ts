import { DocketError } from "@docket/core/store"
import { DatabaseError, Pool, type PoolClient } from "pg"
import type { Database } from "./database.ts"
import { postgres } from "./dialect.ts"
import { MissingParentError, type Program, type Row, type Step, type Value } from "./program.ts"
import { type TableName, tables, upsertSql } from "./tables.ts"

const foreignKeyViolation = "23503"
/** Connections of one process; a web or worker node rarely has more writers at once. */
const poolSize = 10
/** How long to wait for a server that does not answer, in ms. */
const connectTimeout = 10_000

export function openPostgres(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    application_name: "docket",
  })
  // A connection that breaks while idle is replaced at the next query; without a listener it ends the process.
  pool.on("error", () => {})
  // So does one that breaks between two statements of a transaction, whose next statement then fails.
  pool.on("connect", (client) => void client.on("error", () => {}))
  return pool
}

/** Runs programs on a pool. Statements are prepared once per connection. */
export function createPostgresDatabase(pool: Pool): Database {
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const name = names.get(sql) ?? `docket_${names.size}`
    names.set(sql, name)
    return name
  }
  const execute = async (client: Pool | PoolClient, step: Step): Promise<Row[]> => {
    const sql = "sql" in step ? step.sql : upsertSql(step.table, source(step.table))
    const values = "sql" in step ? step.params.map(toPostgres) : [JSON.stringify(step.rows)]
    const { rows } = await client.query<Row>({ name: nameOf(sql), text: sql, values })
    return rows
  }
  const run = async <T>(client: Pool | PoolClient, program: Program<T>): Promise<T> => {
    let next = program.next()
    while (!next.done) {
      let rows: Row[]
      try {
        rows = await execute(client, next.value)
      } catch (error) {
        next = program.throw(translate(error))
        continue
      }
      next = program.next(rows)
    }
    return next.value
  }
  return {
    dialect: postgres,
    read: (program) => run(pool, program),
    async write(program) {
      const client = await pool.connect().catch(rethrow)
      let broken: Error | undefined
      try {
        await client.query("BEGIN").catch(rethrow)
        const result = await run(client, program)
        await client.query("COMMIT").catch(rethrow)
        return result
      } catch (error) {
        await client.query("ROLLBACK").catch((reason: Error) => {
          broken = reason
        })
        throw error
      } finally {
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}

function source(table: TableName): string {
  const list = Object.keys(tables[table]).map((name) => `"${name}"`)
  return `SELECT ${list.join(", ")} FROM ${postgres.jsonRows("$1", tables[table], "r")}`
}

/** PostgreSQL has no NUL in texts and refuses a query with one; no row can hold it, so that any other stands for it. */
function toPostgres(value: Value): Value {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value
}

function translate(error: unknown): unknown {
  const broken = error instanceof DatabaseError && error.code === foreignKeyViolation
  return broken ? new MissingParentError(error.message, { cause: error }) : explain(error)
}

function rethrow(error: unknown): never {
  throw explain(error)
}

/** Connection exception, insufficient resources, the server shuts down or starts (PostgreSQL manual, appendix A). */
const unavailable = /^(?:08|53|57P0[123])/
const diskFull = "53100"

/** What a person can put right becomes words; the driver's own stay as the cause. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error) || (error instanceof DatabaseError && !unavailable.test(error.code ?? ""))) return error
  // Whatever is no answer of the server is a connection that broke or was never made.
  const isFull = error instanceof DatabaseError && error.code === diskFull
  const words = isFull
    ? "The disk of the PostgreSQL server is full, so nothing was stored. Make room and try again."
    : `The PostgreSQL database does not answer (${error.message}). Check that the server runs, then try again.`
  return new DocketError("store_unavailable", words, { cause: error })
}
