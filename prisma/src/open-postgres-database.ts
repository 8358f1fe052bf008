import { DocketError, isDocketError } from "@docket/core/store"
import { migratePostgres, missedMigration } from "./migrate/migrate-postgres.ts"
import { readMigrations } from "./migrate/migrations.ts"
import { openCommitMarks } from "./postgres/commit-marks.ts"
import { openPostgres } from "./postgres/open-postgres.ts"
import { createOutage, type Outage, type OutageDeps } from "./postgres/outage.ts"
import { loadPostgresAccounts, loadPostgresClient } from "./postgres/postgres-client.ts"
import { createPostgresDatabase, type Patience, type TreeJobs } from "./postgres/postgres-database.ts"
import { createStatementNames } from "./postgres/statement-names.ts"
import type { UnreadableRow } from "./row/unreadable-rows.ts"
import { lazyClient } from "./sql/lazy-client.ts"
import { createTenantDatabase, type OpenedDatabase } from "./store/create-tenant-database.ts"

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database` */
  url: string
  /** Called once for each row that this version cannot read; the row is left out. */
  onUnreadable?(row: UnreadableRow): void
  /** For who has claimed the database: queries wait while the server is away. When left out, they fail. */
  waits?: Omit<OutageDeps, "probe">
  /** When turns are run by jobs: gets those of a commit in its transaction. */
  jobs?: TreeJobs
  /** Other nodes use the database too. */
  isShared?: boolean
}

export interface OpenedPostgres extends OpenedDatabase {
  /** Null when `waits` was left out. */
  outage: Outage | null
  /** A migration of a newer node without which this process must not go on; null for none. */
  missed(): Promise<string | null>
}

/**
 * Connects, applies migrations and returns the stores of the database.
 * @throws DocketError store_unavailable when the server does not answer, the database is newer than this version, or
 * the migrations fail
 */
export async function openPostgresDatabase(options: PostgresOptions): Promise<OpenedPostgres> {
  const { url, waits, isShared = false, jobs, onUnreadable = () => {} } = options
  const pool = openPostgres(url)
  const migrations = await readMigrations("postgres")
  let patience: Patience | undefined
  try {
    await migratePostgres(pool, migrations)
    if (waits !== undefined) {
      const outage = createOutage({ ...waits, probe: () => pool.query("SELECT 1") })
      patience = { outage, marks: await openCommitMarks(pool, { isShared }) }
    }
  } catch (error) {
    await pool.end()
    if (isDocketError(error)) throw error
    throw new DocketError(
      "store_unavailable",
      `cannot use the PostgreSQL database: ${error}. Check that the server runs and that the user may create tables.`,
      { cause: error },
    )
  }
  const nameOf = createStatementNames()
  const records = lazyClient(() => loadPostgresClient(pool, nameOf))
  const accounts = lazyClient(() => loadPostgresAccounts(pool, nameOf))
  const database = createPostgresDatabase({ pool, clients: { records, accounts }, nameOf, patience, jobs })
  const opened = createTenantDatabase(database, onUnreadable)
  return { ...opened, outage: patience?.outage ?? null, missed: () => missedMigration(pool, migrations) }
}
