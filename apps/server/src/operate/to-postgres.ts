import { existsSync } from "node:fs"
import path from "node:path"
import { DocketError } from "@docket/core"
import { claimPostgresDatabase, loadCopies } from "@docket/db"
import { lockDataDirectory } from "../lock/data-lock.ts"
import { readTables } from "./back-up.ts"
import type { Outcome, Report } from "./operation.ts"

/**
 * Copies the rows of the file in a data directory to an empty PostgreSQL database, in one transaction. The file stays as
 * it is. @throws data_directory_locked, invalid_input, store_unavailable
 */
export async function toPostgres({ url, data }: { url: string; data: string }, report: Report): Promise<Outcome> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new DocketError("invalid_input", "the address of the database is like postgres://user:password@host/name")
  if (!existsSync(path.join(data, "docket.db")))
    throw new DocketError("store_unavailable", `${data} holds no docket.db. Name another directory with --data.`)
  const lock = lockDataDirectory(data)
  try {
    const claim = await claimPostgresDatabase(url, { as: "command" })
    try {
      const { copyTables, fillTables } = await loadCopies()
      const source = await readTables(data, null)
      try {
        const target = await fillTables({ url, keepIn: null }, source.migrations)
        try {
          const sums = await copyTables(source, target, report)
          await target.finish()
          const rows = Object.values(sums).reduce((sum, table) => sum + table.rows, 0)
          return {
            words: `${rows} rows are in PostgreSQL now, the same as in ${path.join(data, "docket.db")}, which stays as it is.\nStart Docket with DATABASE_URL=${withoutPassword(url)} from now on; files stay in ${data}.`,
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

function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:/@]*):[^@/]*@/, "$1:…@")
}
