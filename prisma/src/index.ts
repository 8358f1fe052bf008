import type { Store } from "@docket/core/store"
import type { PostgresStoreOptions } from "./create-postgres-store.ts"
import type { SqliteStoreOptions } from "./create-sqlite-store.ts"

export type { PostgresStoreOptions, SqliteStoreOptions }

/** Opens a SQLite file as a store. Its driver is loaded here, so that a PostgreSQL node never loads it. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  return (await import("./create-sqlite-store.ts")).createSqliteStore(options)
}

/** Opens a PostgreSQL database as a store. Its driver is loaded here. */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  return (await import("./create-postgres-store.ts")).createPostgresStore(options)
}
