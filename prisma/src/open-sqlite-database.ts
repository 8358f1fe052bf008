import { DocketError } from "@docket/core/store"
import { migrateSqlite } from "./migrate/migrate-sqlite.ts"
import { readMigrations } from "./migrate/migrations.ts"
import type { UnreadableRow } from "./row/unreadable-rows.ts"
import { lazyClient } from "./sql/lazy-client.ts"
import { createConnectionLock } from "./sqlite/connection-lock.ts"
import { openSqlite } from "./sqlite/open-sqlite.ts"
import { loadSqliteAccounts, loadSqliteClient } from "./sqlite/sqlite-client.ts"
import { createSqliteDatabase } from "./sqlite/sqlite-database.ts"
import { createTenantDatabase, type OpenedDatabase } from "./store/create-tenant-database.ts"

export interface SqliteOptions {
  /** Path of the database file; it is created when missing, but its directory is not. */
  file: string
  /** Epoch ms. The clock of the database, also for the name of the backup before a migration. */
  clock: () => number
  /** Called once for each row that this version cannot read; the row is left out. */
  onUnreadable?(row: UnreadableRow): void
}

/**
 * Opens the file, applies migrations and returns the stores in it.
 * @throws DocketError store_unavailable when the file cannot be opened, is newer than this version, or the migrations
 * fail
 */
export async function openSqliteDatabase({
  file,
  clock,
  onUnreadable = () => {},
}: SqliteOptions): Promise<OpenedDatabase> {
  const connection = open(file)
  connection.function("docket_now", clock)
  try {
    await migrateSqlite({ connection, file, clock }, await readMigrations("sqlite"))
  } catch (error) {
    connection.close()
    throw error
  }
  const lock = createConnectionLock()
  const records = lazyClient(() => loadSqliteClient(connection, lock))
  const accounts = lazyClient(() => loadSqliteAccounts(connection, lock))
  return createTenantDatabase(createSqliteDatabase(connection, lock, { records, accounts }), onUnreadable)
}

function open(file: string) {
  try {
    return openSqlite(file)
  } catch (error) {
    throw new DocketError(
      "store_unavailable",
      `cannot open the database ${file}: ${error}. Check that its directory exists and may be written.`,
      { cause: error },
    )
  }
}
