import type { OpenedPostgres, PostgresOptions } from "./open-postgres-database.ts"
import type { SqliteOptions } from "./open-sqlite-database.ts"
import type { ClaimOptions, DatabaseClaim } from "./postgres/claim-postgres-database.ts"
import type { Outage } from "./postgres/outage.ts"
import type { Execute, TreeJobs } from "./postgres/postgres-database.ts"
import type { UnreadableRow } from "./row/unreadable-rows.ts"
import type { TreeJob } from "./sql/program.ts"
import type { AccountTables } from "./store/account-tables.ts"
import type { OpenedDatabase } from "./store/create-tenant-database.ts"

export type { Cell, Table, TableSource, TableTarget } from "./copy/table.ts"
export type { TableSum } from "./copy/table-digest.ts"
export type {
  AccountTables,
  ClaimOptions,
  DatabaseClaim,
  Execute,
  OpenedDatabase,
  OpenedPostgres,
  Outage,
  PostgresOptions,
  SqliteOptions,
  TreeJob,
  TreeJobs,
  UnreadableRow,
}

/** Opens a SQLite file. Its driver is loaded only here, so that a PostgreSQL service never loads it. */
export async function openSqliteDatabase(options: SqliteOptions): Promise<OpenedDatabase> {
  return (await import("./open-sqlite-database.ts")).openSqliteDatabase(options)
}

/** Opens a PostgreSQL database. Its driver is loaded only here. */
export async function openPostgresDatabase(options: PostgresOptions): Promise<OpenedPostgres> {
  return (await import("./open-postgres-database.ts")).openPostgresDatabase(options)
}

/** See claim-postgres-database.ts. Its driver is loaded only here. */
export async function claimPostgresDatabase(url: string, options?: ClaimOptions): Promise<DatabaseClaim> {
  return (await import("./postgres/claim-postgres-database.ts")).claimPostgresDatabase(url, options)
}

/** The module that copies all rows, for operator commands; a service does not load it. */
export async function loadCopies(): Promise<typeof import("./copy/copies.ts")> {
  return await import("./copy/copies.ts")
}
