import { DuplicateError } from "@docket/core/store"
import type { Pool, PoolClient } from "pg"
import type { Database, LazyClients, ProgramWork } from "../sql/database.ts"
import { StoredBeforeError } from "../sql/database-errors.ts"
import { postgres } from "../sql/dialect.ts"
import type { LazyClient } from "../sql/lazy-client.ts"
import type { Program, Row, Step, TreeJob } from "../sql/program.ts"
import { type TableName, tables, upsertSql } from "../sql/tables.ts"
import type { CommitMark, CommitMarks } from "./commit-marks.ts"
import type { Outage } from "./outage.ts"
import { DatabaseAwayError, explainClient, explainPostgres } from "./postgres-error.ts"
import type { StatementNames } from "./statement-names.ts"
import { withoutNul } from "./without-nul.ts"

/** How a database waits for a server that is away. */
export interface Patience {
  outage: Outage
  marks: CommitMarks
}

/** A transaction whose commit was sent but not answered. */
interface Doubt<T> {
  mark: CommitMark
  result: T
}

/** Statements of another library in a transaction. */
export type Execute = (sql: string, values?: unknown[]) => Promise<{ rows: unknown[] }>

/** What runs turns by jobs. */
export interface TreeJobs {
  /** Stores a job for each tree, in the transaction that stored its turns. When it throws, neither is stored. */
  insert(execute: Execute, trees: readonly TreeJob[]): Promise<void>
}

export interface PostgresDatabaseDeps {
  pool: Pool
  clients: LazyClients
  nameOf: StatementNames
  /** When left out, queries fail while the server is away. */
  patience?: Patience | undefined
  /** When left out, no turn has a job. */
  jobs?: TreeJobs | undefined
}

/** Runs programs on a pool, which the Prisma clients share. Statements are prepared once per connection. */
export function createPostgresDatabase({ pool, clients, nameOf, patience, jobs }: PostgresDatabaseDeps): Database {
  const execute = async (connection: Pool | PoolClient, step: Step): Promise<Row[]> => {
    if ("jobs" in step) {
      await jobs?.insert((sql, values) => connection.query(sql, values), step.jobs)
      return []
    }
    const text = "sql" in step ? step.sql : upsertSql(step.table, sourceOf(step.table))
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
  const transact = async <T>(program: Program<T>, onDoubt?: (doubt: Doubt<T>) => void): Promise<T> => {
    const connection = await pool.connect().catch(rethrow)
    let broken: Error | undefined
    let mark: CommitMark | null = null
    try {
      mark = patience?.marks.take() ?? null
      await connection.query(mark?.begin ?? "BEGIN").catch(rethrow)
      const result = await run(connection, program)
      await connection.query("COMMIT").catch((reason: unknown) => {
        const error = explainPostgres(reason)
        if (mark !== null && error instanceof DatabaseAwayError) {
          onDoubt?.({ mark, result })
          mark = null
        }
        throw error
      })
      return result
    } catch (error) {
      await connection.query("ROLLBACK").catch((reason: Error) => {
        broken = reason
      })
      throw error
    } finally {
      if (mark !== null) patience?.marks.giveBack(mark)
      connection.release(broken)
    }
  }
  const through = <T>(attempt: () => Promise<T>, writes: boolean): Promise<T> =>
    patience === undefined ? attempt() : patience.outage.through(attempt, { writes })
  /** Commits at most once: when an answer was lost, the outcome is looked up before the next attempt. */
  const transactOnce = <T>(work: ProgramWork<T>): Promise<T> => {
    let doubt: Doubt<T> | null = null
    return through(async () => {
      if (doubt !== null && patience !== undefined) {
        const { mark, result } = doubt
        const isStored = await patience.marks.isStored(mark).catch(rethrow)
        patience.marks.giveBack(mark)
        doubt = null
        if (isStored) return result
      }
      return transact(work.program(), (found) => {
        doubt = found
      })
    }, true)
  }
  const asking =
    <Client>(client: LazyClient<Client>, writes: boolean) =>
    <T>(calls: (client: Client) => Promise<T>): Promise<T> => {
      /** An attempt that failed may have stored its row all the same. */
      let hasFailed = false
      const attempt = () =>
        askOnce(client, calls).catch((error) => {
          if (hasFailed && error instanceof DuplicateError) throw new StoredBeforeError(error.message, { cause: error })
          hasFailed = true
          throw error
        })
      return through(attempt, writes)
    }
  const read = asking(clients.records, false)
  const write = asking(clients.records, true)
  return {
    dialect: postgres,
    read: (work) => (typeof work === "function" ? read(work) : through(() => run(pool, work.program()), false)),
    write: (work) => (typeof work === "function" ? write(work) : transactOnce(work)),
    accounts: {
      read: asking(clients.accounts, false),
      async write(calls) {
        await patience?.outage.ready()
        // Not repeated, because the account library reads before it writes.
        return askOnce(clients.accounts, calls)
      },
    },
    async close() {
      await Promise.all([clients.records.close(), clients.accounts.close()])
      await pool.end()
    },
  }
}

function askOnce<Client, T>(client: LazyClient<Client>, calls: (client: Client) => Promise<T>): Promise<T> {
  return client.run(calls).catch((error) => {
    throw explainClient(error)
  })
}

/** The rows in the parameter of an upsert. */
function sourceOf(table: TableName): string {
  const list = Object.keys(tables[table]).map((name) => `"${name}"`)
  return `SELECT ${list.join(", ")} FROM ${postgres.jsonRows("$1", tables[table], "r")}`
}

function rethrow(error: unknown): never {
  throw explainPostgres(error)
}
