import { DocketError } from "@docket/core/store"
import type { TableSource, TableTarget } from "./table.ts"
import { createTableDigest, sumOf, type TableSum } from "./table-digest.ts"

/**
 * Copies all rows and reads them again to verify. Returns the checksum of each table. The target is not finished yet.
 * `report` is called for each non-empty table with its number of rows.
 */
export async function copyTables(
  source: TableSource,
  target: TableTarget,
  report: (table: string, rows: number) => void,
): Promise<Record<string, TableSum>> {
  const sums: Record<string, TableSum> = {}
  for (const table of source.tables) {
    const into = target.tables.find(({ name }) => name === table.name)
    const columns = table.columns.map(({ name }) => name).join()
    if (into === undefined || into.columns.map(({ name }) => name).join() !== columns)
      throw new DocketError("store_unavailable", `the databases have different tables: ${table.name}`)
    const digest = createTableDigest()
    for await (const rows of source.rows(table)) {
      const storable = rows.map((row) => row.map(target.storable))
      digest.add(storable)
      await target.insert(into, storable)
    }
    const sum = digest.sum()
    requireSame(table.name, sum, await sumOf(target.rows(into)))
    sums[table.name] = sum
    if (sum.rows > 0) report(table.name, sum.rows)
  }
  return sums
}

/** @throws store_unavailable when a table differs from what was inserted */
export function requireSame(table: string, given: TableSum, held: TableSum): void {
  if (given.rows === held.rows && given.sha256 === held.sha256) return
  throw new DocketError(
    "store_unavailable",
    `the database does not hold what it was given: ${table} has ${held.rows} rows of ${given.rows}, or different ones`,
  )
}
