import { readdir, rm } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { DocketError } from "@docket/core/store"
import { type Applied, appliedSql, type Migration, migrationsTable, pendingMigrations, recordOf } from "./migrations.ts"

/** Number of backups that are kept beside the database. */
const keptBackups = 3

/**
 * Applies pending migrations, each in its own transaction. A file with content is first copied to
 * `<file>.backup-<time>`.
 * @returns the names of the applied migrations
 */
export async function migrateSqlite(
  { connection, file, clock }: { connection: DatabaseSync; file: string; clock: () => number },
  migrations: readonly Migration[],
): Promise<string[]> {
  const applied = readApplied(connection)
  const pending = pendingMigrations(migrations, applied)
  if (pending.length === 0) return []
  if (applied.length > 0) await backUp(connection, file, clock())
  // Rebuilding a table drops the old one; with foreign keys on, that would delete the rows that refer to it.
  connection.exec("PRAGMA foreign_keys = OFF")
  try {
    connection.exec(migrationsTable)
    for (const migration of pending) apply(connection, migration)
  } finally {
    connection.exec("PRAGMA foreign_keys = ON")
  }
  return pending.map(({ name }) => name)
}

function readApplied(connection: DatabaseSync): Applied[] {
  const table = connection.prepare(`SELECT "name" FROM sqlite_master WHERE "name" = '_prisma_migrations'`).all()
  // The driver returns untyped rows; their columns are those of the statement.
  return table.length === 0 ? [] : (connection.prepare(appliedSql).all() as unknown as Applied[])
}

function apply(connection: DatabaseSync, migration: Migration): void {
  const { name } = migration
  connection.exec("BEGIN IMMEDIATE")
  try {
    connection.exec(migration.sql)
    if (connection.prepare("PRAGMA foreign_key_check").all().length > 0) throw new Error("rows lost what they refer to")
    const { sql, params } = recordOf(migration)
    connection.prepare(sql.replaceAll("$", "?")).run(...params)
    connection.exec("COMMIT")
  } catch (error) {
    if (connection.isTransaction) connection.exec("ROLLBACK")
    throw new DocketError("store_unavailable", `migration ${name} failed; the database is as it was: ${error}`, {
      cause: error,
    })
  }
}

async function backUp(connection: DatabaseSync, file: string, now: number): Promise<void> {
  const prefix = `${basename(file)}.backup-`
  const target = join(dirname(file), `${prefix}${new Date(now).toISOString().replaceAll(":", "-")}`)
  connection.prepare("VACUUM INTO ?").run(target)
  const backups = (await readdir(dirname(file))).filter((name) => name.startsWith(prefix)).sort()
  await Promise.all(backups.slice(0, -keptBackups).map((name) => rm(join(dirname(file), name))))
}
