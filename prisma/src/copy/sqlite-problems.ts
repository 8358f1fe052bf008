import { DatabaseSync } from "node:sqlite"

/** The most problems of each kind that are listed. */
const most = 20

/**
 * What SQLite finds wrong with a file, in its own words: damaged pages, indexes that differ from their table, and rows
 * that refer to rows that are not there. A service may go on writing meanwhile.
 */
export function sqliteProblems(file: string): string[] {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    const damages = connection.prepare(`PRAGMA integrity_check(${most})`).all() as { integrity_check: string }[]
    const found = damages.map((row) => row.integrity_check).filter((words) => words !== "ok")
    // The rows of a damaged file cannot be trusted to say anything of each other.
    if (found.length > 0) return found
    const orphans = connection.prepare("PRAGMA foreign_key_check").all() as { table: string; parent: string }[]
    return orphans
      .slice(0, most)
      .map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that is missing`)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    connection.close()
  }
}
