import type { Rows, TableName } from "./tables.ts"

export type Value = string | number | boolean | null
export type Row = Record<string, unknown>

/**
 * One step of a program: a statement (parameters are `$1`, `$2`…), rows to upsert, or jobs for trees. A step with
 * `isOnce` is planned for its values and not kept as a prepared statement.
 */
export type Step = { sql: string; params: readonly Value[]; isOnce?: true } | UpsertStep | JobStep
export type UpsertStep = { [T in TableName]: { table: T; rows: readonly Rows[T][] } }[TableName]

/** A tree that has turns to run, and where. */
export interface TreeJob {
  tenantID: string
  rootID: string
  place: string
}
/** Does nothing in a database whose turns are not run by jobs. */
export interface JobStep {
  jobs: readonly TreeJob[]
}

/**
 * A query or a transaction, written once for both databases: it yields steps and receives their rows. The SQLite driver
 * runs it synchronously, the PostgreSQL driver with one round trip per step.
 */
export type Program<T> = Generator<Step, T, Row[]>

export function* query(sql: string, ...params: Value[]): Program<Row[]> {
  return yield { sql, params }
}

/** Like `query`, for a statement whose text or best plan changes from call to call. */
export function* queryOnce(sql: string, params: readonly Value[]): Program<Row[]> {
  return yield { sql, params, isOnce: true }
}

export function* upsert<T extends TableName>(table: T, rows: readonly Rows[T][]): Program<void> {
  // A table and its rows form one member of the union, but the compiler cannot derive that from T.
  if (rows.length > 0) yield { table, rows } as UpsertStep
}

export function* insertJobs(jobs: readonly TreeJob[]): Program<void> {
  if (jobs.length > 0) yield { jobs }
}

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== "string") throw new TypeError(`column ${column} holds no text`)
  return value
}

export function number(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== "number") throw new TypeError(`column ${column} holds no number`)
  return value
}
