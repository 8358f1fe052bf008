import path from "node:path"
import { DocketError } from "@docket/core"
import { loadCopies } from "@docket/db"
import { readTables } from "./back-up.ts"
import type { Outcome, Report } from "./operation.ts"
import { requireDocket } from "./require-docket.ts"

interface Check {
  data: string
  /** Address of the PostgreSQL database; null for the file in the data directory. */
  database: string | null
}

const repair = "Stop the service, keep the file, and put back a backup: docket restore --replace FILE."

/**
 * Reads every row of the database, and lets SQLite check its file. PostgreSQL guards its own pages and references.
 * @throws store_unavailable when something is wrong, with what it is
 */
export async function checkDatabase({ data, database }: Check, report: Report): Promise<Outcome> {
  requireDocket(data, database)
  const { sqliteProblems, requireKnownMigrations } = await loadCopies()
  if (database === null) {
    const problems = sqliteProblems(path.join(data, "docket.db"))
    if (problems.length > 0) {
      for (const problem of problems) report(problem)
      throw new DocketError("store_unavailable", `The database in ${data} is damaged. ${repair}`)
    }
  }
  const source = await readTables(data, database)
  try {
    await requireKnownMigrations(database === null ? "sqlite" : "postgres", source.migrations)
    const tables: Record<string, number> = {}
    for (const table of source.tables) {
      let rows = 0
      for await (const batch of source.rows(table)) rows += batch.length
      tables[table.name] = rows
    }
    const rows = Object.values(tables).reduce((sum, count) => sum + count, 0)
    const kind = database === null ? "SQLite" : "PostgreSQL"
    return {
      words: `The database (${kind}) is whole: ${rows} rows in ${source.tables.length} tables.`,
      facts: { database: kind.toLowerCase(), rows, tables, migrations: source.migrations.length },
    }
  } finally {
    await source.close()
  }
}
