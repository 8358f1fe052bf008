import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { DocketError, readBoundedFileSync } from "@docket/core"
import { z } from "zod"

/** Where the rows of a data directory are: in its `docket.db`, or in the PostgreSQL database of `DATABASE_URL`. */
const DatabaseKind = z.enum(["sqlite", "postgres"])
export type DatabaseKind = z.infer<typeof DatabaseKind>

/** Where secrets are: in files of the data directory, or encrypted in rows. */
const SecretsPlace = z.enum(["files", "rows"])
type SecretsPlace = z.infer<typeof SecretsPlace>

const DatabaseRecord = z.object({ kind: DatabaseKind, secrets: SecretsPlace.default("files") })
type DatabaseRecord = z.infer<typeof DatabaseRecord>

/**
 * `<data>/database.json` names the database in use. Without it, a command without DATABASE_URL would use the old SQLite
 * file that a move to PostgreSQL left behind.
 */
export const databaseRecord = "database.json"

const maxBytes = 4_096

export const databaseKind = (url: string | null | undefined): DatabaseKind => (url ? "postgres" : "sqlite")

/**
 * The database that the file names; null for a directory that was never opened by a version that writes the file.
 * @throws store_unavailable for a damaged file
 */
export function recordedDatabase(data: string): DatabaseKind | null {
  return readRecord(data)?.kind ?? null
}

/** Where the secrets of the directory are. @throws store_unavailable for a damaged file */
export function recordedSecrets(data: string): SecretsPlace {
  return readRecord(data)?.secrets ?? "files"
}

function readRecord(data: string): DatabaseRecord | null {
  const file = path.join(data, databaseRecord)
  try {
    // A broken link must not be treated like a missing file.
    if (lstatSync(file).isSymbolicLink()) throw new Error("a symbolic link")
    return DatabaseRecord.parse(JSON.parse(readBoundedFileSync(file, maxBytes).toString("utf8")))
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : null
    if (code === "ENOENT") return null
    const what = typeof code === "string" ? `cannot be read (${code})` : "is damaged"
    const words = `${file}, which names the database in use, ${what}. Write {"kind":"sqlite"} into it where the rows are in docket.db, {"kind":"postgres"} where they are in PostgreSQL.`
    throw new DocketError("store_unavailable", words, { cause })
  }
}

/** Refuses a database that is not the one in use. @throws store_unavailable */
export function requireRecorded(data: string, kind: DatabaseKind): void {
  const recorded = recordedDatabase(data)
  if (recorded === null || recorded === kind) return
  const file = path.join(data, databaseRecord)
  throw new DocketError(
    "store_unavailable",
    recorded === "postgres"
      ? `the rows of ${data} are in PostgreSQL, and DATABASE_URL is not set; a docket.db there is older. Set DATABASE_URL as the service has it. To go back to a file, restore a backup with --to-file, or remove ${file} to use the older docket.db.`
      : `the rows of ${data} are in its docket.db, and DATABASE_URL names another database. Unset DATABASE_URL, or take the rows there: docket to-postgres. To go on with what that database holds, remove ${file}.`,
  )
}

/** Records the database in use. Only the owner of the lock on the directory may call it. */
export function recordDatabase(data: string, kind: DatabaseKind, secrets: SecretsPlace = "files"): void {
  const known = readRecord(data)
  if (known?.kind === kind && known.secrets === secrets) return
  const file = path.join(data, databaseRecord)
  try {
    rmSync(`${file}.new`, { recursive: true, force: true })
    writeFileSync(`${file}.new`, `${JSON.stringify({ kind, ...(secrets === "rows" && { secrets }) })}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    })
    renameSync(`${file}.new`, file)
  } catch (cause) {
    throw new DocketError(
      "store_unavailable",
      `${file}, which names the database in use, cannot be written: ${cause}`,
      {
        cause,
      },
    )
  }
}
