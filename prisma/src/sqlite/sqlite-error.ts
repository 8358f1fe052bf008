import { DocketError } from "@docket/core/store"
import { brokenRule, driverCause } from "../sql/database-errors.ts"

/** The error that `node:sqlite` throws. */
export interface SqliteError extends Error {
  /** Extended result code (https://www.sqlite.org/rescode.html); its low byte is the primary code. */
  errcode: number
}

/** Primary result codes. */
const busy = 5
const readOnly = 8
const ioError = 10
const full = 13

/** Extended result codes of violated constraints. */
export const constraint = { foreignKey: 787, notNull: 1299, primaryKey: 1555, trigger: 1811, unique: 2067 } as const

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
}

export function isBusy(code: number): boolean {
  return (code & 0xff) === busy
}

/** An error with a message about what to do; null for any other code. `cause` is SQLite's error. */
export function explainSqlite(code: number, message: string, cause: unknown): DocketError | null {
  const words = wordsFor(code & 0xff, message)
  return words === null ? null : new DocketError("store_unavailable", words, { cause })
}

/** Turns an error of Prisma's client into a constraint error, a message about what to do, or leaves it unchanged. */
export function explainClient(error: unknown): unknown {
  const cause = driverCause(error)
  if (!cause) return error
  const { originalCode, originalMessage = "" } = cause
  return brokenRule(cause, error) ?? explainSqlite(Number(originalCode), originalMessage, error) ?? error
}

function wordsFor(code: number, message: string): string | null {
  switch (code) {
    case busy:
      return "Another program holds the database, so nothing was stored. Close it and try again."
    case full:
      return "The disk with the data directory is full, so nothing was stored. Make room and try again."
    case ioError:
    case readOnly:
      return `The database cannot be written (${message}). Check the disk and the rights of the data directory.`
    default:
      return null
  }
}
