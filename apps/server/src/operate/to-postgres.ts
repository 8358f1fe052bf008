import path from "node:path"
import { DocketError } from "@docket/core"
import { claimPostgresDatabase, loadCopies } from "@docket/db"
import { recordDatabase, recordedDatabase } from "../database-record.ts"
import { lockDataDirectory } from "../lock/data-lock.ts"
import { readTables } from "./back-up.ts"
import type { Outcome, Report } from "./operation.ts"
import { requireDocket } from "./require-docket.ts"
import { rowsLabel, sealedNote } from "./table-labels.ts"

/**
 * Copies the rows of the SQLite file to an empty PostgreSQL database, in one transaction. The file is kept but no
 * longer used. @throws data_directory_locked, invalid_input, store_unavailable
 */
export async function toPostgres(asked: { url: string | null; data: string }, report: Report): Promise<Outcome> {
  const { data } = asked
  const url = requireAddress(asked.url)
  if (recordedDatabase(data) === "postgres")
    throw new DocketError(
      "store_unavailable",
      `the rows of ${data} are in PostgreSQL already; a docket.db there is older. To take them to another database, make a backup and restore it with the new DATABASE_URL.`,
    )
  requireDocket(data, null)
  const lock = lockDataDirectory(data)
  try {
    const claim = await claimPostgresDatabase(url, { as: "command" })
    try {
      const { copyTables, fillTables } = await loadCopies()
      const source = await readTables(data, null)
      try {
        const target = await fillTables({ url, keepIn: null }, source.migrations)
        try {
          const sums = await copyTables(source, target, (table, rows) => report(rowsLabel(table, rows)))
          await target.finish()
          recordDatabase(data, "postgres")
          const rows = Object.values(sums).reduce((sum, table) => sum + table.rows, 0)
          return {
            words: `${rows} rows are in PostgreSQL now, the same as in ${path.join(data, "docket.db")}, which stays as it is.\nStart Docket with DATABASE_URL=${withoutPassword(url)} from now on; files stay in ${data}.${sealedNote(sums)}`,
            facts: { rows, tables: sums },
          }
        } catch (error) {
          await target.abandon()
          throw error
        }
      } finally {
        await source.close()
      }
    } finally {
      await claim.release()
    }
  } finally {
    lock.release()
  }
}

/** @throws invalid_input when it is no address of a PostgreSQL database */
export function requireAddress(url: string | null): string {
  if (url !== null && /^postgres(?:ql)?:\/\//.test(url)) return url
  throw new DocketError(
    "invalid_input",
    "name the database in DATABASE_URL, or as an argument, which others on this machine can read: postgres://user:password@host/name",
  )
}

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:/@]*):[^@/]*@/, "$1:…@").replace(/([?&]password=)[^&#]*/, "$1…")
}
