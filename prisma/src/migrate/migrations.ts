import { createHash, randomUUID } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { DocketError } from "@docket/core/store"

export interface Migration {
  name: string
  sql: string
  /** SHA-256 of the file (hex), as Prisma computes it. */
  checksum: string
  /** A node that does not know it must not go on: what is written after it means something else to that node. */
  needed?: boolean
}

/** The first line of a migration that every running node has to know. */
const neededLine = "-- Every node has to know this migration."

/** A migration that a database has recorded as applied. */
export interface Applied {
  name: string
  checksum: string
}

/** The migrations of this version, in order. */
export async function readMigrations(dialect: "sqlite" | "postgres"): Promise<Migration[]> {
  const directory = join(fileURLToPath(new URL("../../migrations", import.meta.url)), dialect)
  const names = (await readdir(directory)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name, "migration.sql"), "utf8")
      const checksum = createHash("sha256").update(sql).digest("hex")
      return { name, sql, checksum, needed: sql.startsWith(`${neededLine}\n`) }
    }),
  )
}

/**
 * The migrations that a database still needs.
 * @throws DocketError store_unavailable when the database is newer than this version, or when an applied migration
 * differs from the one of this version
 */
export function pendingMigrations(known: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  for (const { name } of applied) {
    if (!known.some((migration) => migration.name === name)) {
      throw new DocketError(
        "store_unavailable",
        `the database was written by a newer Docket (it has migration ${name}, which this version does not know). ` +
          "Update Docket, or go back to the backup beside the database that was made before the update.",
      )
    }
  }
  for (const { name, checksum } of known) {
    const found = checksums.get(name)
    if (found !== undefined && found !== checksum) {
      throw new DocketError(
        "store_unavailable",
        `migration ${name} was changed after it was applied to this database. ` +
          "Install an unmodified Docket; to change the tables, add a new migration.",
      )
    }
  }
  return known.filter(({ name }) => !checksums.has(name))
}

/** The table that records applied migrations: Prisma's own, so that its tools can read it. */
export const migrationsTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMP,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMP,
  "started_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`

export const appliedSql = `SELECT "migration_name" AS "name", "checksum" AS "checksum" FROM "_prisma_migrations"
  WHERE "rolled_back_at" IS NULL ORDER BY "migration_name"`

const recordSql = `INSERT INTO "_prisma_migrations"
  ("id", "checksum", "migration_name", "logs", "finished_at", "applied_steps_count")
  VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP, 1)`

/** The statement that records a migration as applied, with its parameters. */
export function recordOf({ name, checksum, needed }: Migration): { sql: string; params: (string | null)[] } {
  // Prisma leaves this column to whoever applies the migration.
  return { sql: recordSql, params: [randomUUID(), checksum, name, needed === true ? neededLine : null] }
}

/** The migrations that every node has to know; parameter: the mark of these. */
export const neededSql = {
  sql: `SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "logs" = $1 ORDER BY "migration_name"`,
  params: [neededLine],
}
