import { statfsSync } from "node:fs"
import path from "node:path"
import { isDocketError } from "@docket/core"

const full = "the disk is full: free some space, then start again"
/** Less free space (bytes) than SQLite needs to open a database: its shared memory file grows by 32 KiB. */
const leastFree = 64 * 1024

/** Messages of a full, read-only or failing disk, by system error code and by SQLite's message. */
const diskProblems: [RegExp, string][] = [
  [/\b(?:ENOSPC|EDQUOT|SQLITE_FULL|database or disk is full)\b/, full],
  [/\b(?:EROFS|SQLITE_READONLY|readonly database)\b/, "the disk cannot be written: mount it for writing"],
  [/\b(?:EACCES|EPERM)\b/, "this user may not write there: change the directory's owner or rights"],
  [/\b(?:EIO|SQLITE_IOERR|disk I\/O error)\b/, "the disk reports an error: look at the system's log"],
  [
    /\b(?:SQLITE_CORRUPT|SQLITE_NOTADB|malformed|not a database)\b/,
    "the database file is damaged: put a backup in its place",
  ],
]

/** One line for the user that explains why the service did not start; null for a bug, which needs its stack trace. */
export function describeStartFailure(error: unknown, dataDirectory: string): string | null {
  const remedy = remedyFor(error, dataDirectory)
  if (isDocketError(error)) return remedy === null ? error.message : `${error.message}; ${remedy}`
  if (remedy === null) return null
  const problem = outsideProblem(error, dataDirectory) ?? `cannot start on ${dataDirectory}`
  return `${problem}: ${remedy} (${firstLine(error)})`
}

/** `cannot use DIR` for a file outside the data directory, such as a backup; null otherwise. */
function outsideProblem(error: unknown, dataDirectory: string): string | null {
  const named = error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : null
  const isInside = named === null || !path.relative(dataDirectory, named).startsWith("..")
  return isInside ? null : `cannot use ${path.dirname(named)}`
}

function remedyFor(error: unknown, dataDirectory: string): string | null {
  if (isDocketError(error) && error.code !== "store_unavailable") return null
  const words = messagesOfCauses(error)
  const known = diskProblems.find(([pattern]) => pattern.test(words))
  if (known === undefined) return null
  // SQLite reports an I/O error when its memory-mapped file cannot grow.
  return isFull(dataDirectory) ? full : known[1]
}

function isFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize < leastFree
  } catch {
    return false
  }
}

/** The codes and messages of an error and of all its causes, one a line. */
function messagesOfCauses(error: unknown): string {
  const words: string[] = []
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    words.push("code" in cause ? String(cause.code) : "", cause.message)
  }
  return words.join("\n")
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split("\n")[0] ?? ""
}
