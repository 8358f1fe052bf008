import { DatabaseSync } from "node:sqlite"

/** How long to wait for another process that writes to the file (ms). */
const busyTimeoutMs = 10_000

/** Opens the file and creates it when it does not exist. */
export function openSqlite(file: string): DatabaseSync {
  const connection = new DatabaseSync(file, { timeout: busyTimeoutMs })
  try {
    connection.exec("PRAGMA journal_mode = WAL")
    // In WAL mode, NORMAL cannot corrupt the file; after a power failure the last commits may be missing.
    connection.exec("PRAGMA synchronous = NORMAL")
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
