import { DocketError } from "@docket/core/store"
import type { ClientBase, Pool, PoolClient } from "pg"
import {
  type Applied,
  appliedSql,
  type Migration,
  migrationsTable,
  neededSql,
  pendingMigrations,
  recordOf,
} from "./migrations.ts"

/** Key of the advisory lock that lets one node migrate while the others wait ("docket" in ASCII). */
const migrationLock = 0x64_6f_63_6b_65_74

/** Applies pending migrations, each in its own transaction. Returns their names. */
export async function migratePostgres(pool: Pool, migrations: readonly Migration[]): Promise<string[]> {
  const client = await pool.connect()
  try {
    if (pendingMigrations(migrations, await readApplied(client)).length === 0) return []
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock])
    try {
      // Read again under the lock: another node may have applied them.
      const pending = pendingMigrations(migrations, await readApplied(client))
      await client.query(migrationsTable)
      for (const migration of pending) await apply(client, migration)
      return pending.map(({ name }) => name)
    } finally {
      await client.query("SELECT pg_advisory_unlock($1)", [migrationLock])
    }
  } finally {
    client.release()
  }
}

async function readApplied(client: PoolClient): Promise<Applied[]> {
  const { rows } = await client.query(`SELECT to_regclass('"_prisma_migrations"') AS "table"`)
  return rows[0]?.table === null ? [] : (await client.query<Applied>(appliedSql)).rows
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query("BEGIN")
    await applyMigration(client, migration)
    await client.query("COMMIT")
  } catch (error) {
    await client.query("ROLLBACK")
    const words = `migration ${migration.name} failed; the database is as it was: ${error}`
    throw new DocketError("store_unavailable", words, { cause: error })
  }
}

/** Runs and records one migration, in the caller's transaction. */
export async function applyMigration(client: Pick<ClientBase, "query">, migration: Migration): Promise<void> {
  await client.query(migration.sql)
  const { sql, params } = recordOf(migration)
  await client.query(sql, params)
}

/**
 * A migration that a newer node has applied meanwhile, and without which this process must not go on; null for none.
 */
export async function missedMigration(pool: Pick<Pool, "query">, known: readonly Migration[]): Promise<string | null> {
  const { rows } = await pool.query<Pick<Migration, "name">>(neededSql.sql, neededSql.params)
  return rows.find((row) => !known.some(({ name }) => name === row.name))?.name ?? null
}
