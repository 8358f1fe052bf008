import { readMigrations } from "../migrate/migrations.ts"
import { type FillOptions, fillPostgresTables } from "./postgres-tables.ts"
import { fillSqliteTables, requireKnown } from "./sqlite-tables.ts"
import type { TableTarget } from "./table.ts"

export { copyTables, requireSame } from "./copy-tables.ts"
export { readPostgresTables } from "./postgres-tables.ts"
export { sqliteProblems } from "./sqlite-problems.ts"
export { readSqliteTables } from "./sqlite-tables.ts"
export { createTableDigest, sumOf } from "./table-digest.ts"

/** Checks that this version can read a database with these migrations. @throws store_unavailable when it cannot */
export async function requireKnownMigrations(kind: "sqlite" | "postgres", names: readonly string[]): Promise<void> {
  requireKnown(await readMigrations(kind), names)
}

/** The target of a copy: a new SQLite file, or a PostgreSQL database. */
export type Fill = { file: string } | Pick<FillOptions, "url" | "keepIn">

/**
 * Creates empty tables in the state of these migrations.
 * @throws store_unavailable when this version does not know one of them, or the database is not empty
 */
export async function fillTables(into: Fill, migrations: readonly string[]): Promise<TableTarget> {
  const known = await readMigrations("file" in into ? "sqlite" : "postgres")
  requireKnown(known, migrations)
  return "file" in into
    ? fillSqliteTables(into.file, known, migrations)
    : fillPostgresTables({ ...into, known, names: migrations })
}
