import { existsSync } from "node:fs"
import path from "node:path"
import { DocketError } from "@docket/core"
import { databaseKind, databaseRecord, requireRecorded } from "../database-record.ts"

/** Files that every service creates in its directory, with any database. */
const signs = [databaseRecord, "lock.db"]

/**
 * Refuses a directory without data of a service, and a database that is not the one in use.
 * @param database address of PostgreSQL; null for the file
 * @throws store_unavailable
 */
export function requireDocket(data: string, database: string | null): void {
  requireRecorded(data, databaseKind(database))
  const expectedFiles = database === null ? ["docket.db"] : signs
  if (expectedFiles.some((name) => existsSync(path.join(data, name)))) return
  const why = database === null ? ": there is no docket.db" : ""
  throw new DocketError("store_unavailable", `${data} holds no Docket${why}. Name another directory with --data.`)
}
