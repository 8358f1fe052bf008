import path from "node:path"
import { claimPostgresDatabase, type OpenedDatabase, openPostgresDatabase, openSqliteDatabase } from "@docket/db"
import { lockDataDirectory } from "../lock/data-lock.ts"
import { requireDocket } from "./require-docket.ts"

export interface DatabasePlace {
  data: string
  /** The address of PostgreSQL; null for the file in the data directory. */
  database: string | null
}

const claimForCommand = (url: string) => claimPostgresDatabase(url, { as: "command" })

/**
 * Opens the database of a data directory for a command that has both for itself, and closes it afterwards.
 * @throws data_directory_locked, invalid_input, store_unavailable
 */
export async function withDatabase<Result>(
  { data, database }: DatabasePlace,
  work: (opened: OpenedDatabase) => Promise<Result>,
  claimDatabase: typeof claimForCommand = claimForCommand,
): Promise<Result> {
  requireDocket(data, database)
  const lock = lockDataDirectory(data)
  try {
    const claim = database === null ? null : await claimDatabase(database)
    try {
      const opened = await (database === null
        ? openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now })
        : openPostgresDatabase({ url: database }))
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    } finally {
      await claim?.release()
    }
  } finally {
    lock.release()
  }
}
