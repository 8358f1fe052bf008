import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { DocketError, readBoundedFileSync } from "@docket/core"
import { z } from "zod"

/**
 * `<data>/lock.json`: the process that owns the data directory, and its address. For information only; it is not the
 * lock.
 */
const LockOwner = z.object({
  pid: z.number().int(),
  /** The process that a person started and can stop, when it started this one. */
  startedBy: z.number().int().nullable().default(null),
  /** A container has its own host name and process ids. */
  host: z.string().nullable().default(null),
  /** Null until the service listens. */
  url: z.string().nullable(),
})
type LockOwner = z.infer<typeof LockOwner>

export interface DataLock {
  /** Records the address of the service, so that clients on this machine find it. */
  publish(url: string): void
  release(): void
}

/** Nothing else may open this file: if the owner's process closes it anywhere, the lock is released (fcntl(2)). */
const lockFileName = "lock.db"
const ownerFileName = "lock.json"
/** How long to retry (ms): two processes that start at once may block each other for a moment. */
const patienceMs = 500
const maxOwnerBytes = 65_536

/**
 * Makes this process the only user of the data directory. The lock is an exclusive transaction on an empty SQLite file,
 * so the kernel keeps it: it works across containers that share the directory, and ends with the process in any case.
 * @throws data_directory_locked
 */
export function lockDataDirectory(directory: string, startedBy: number | null = null): DataLock {
  const owner = path.join(directory, ownerFileName)
  const transaction = beginExclusive(path.join(directory, lockFileName), () => lockedError(directory, readOwner(owner)))
  const write = (url: string | null) => {
    const value: LockOwner = { pid: process.pid, startedBy, host: hostname(), url }
    writeFileSync(`${owner}.new`, JSON.stringify(value), { mode: 0o600 })
    renameSync(`${owner}.new`, owner)
  }
  try {
    write(null)
  } catch (error) {
    transaction.close()
    throw error
  }
  return {
    publish: write,
    release() {
      if (!transaction.isOpen) return
      rmSync(owner, { force: true })
      transaction.close()
    },
  }
}

function beginExclusive(file: string, refusal: () => DocketError): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: patienceMs })
  try {
    chmodSync(file, 0o600)
    // Nothing is ever written, so no journal file is needed.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return database
  } catch (error) {
    database.close()
    throw isBusy(error) ? refusal() : error
  }
}

/** SQLITE_BUSY is the low byte of its extended codes (https://www.sqlite.org/rescode.html). */
function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && Number(error.errcode) % 256 === 5
}

function lockedError(directory: string, owner: LockOwner | null): DocketError {
  const where = owner?.url ? `, which answers on ${owner.url}` : ""
  const elsewhere = owner?.host && owner.host !== hostname() ? ` on ${owner.host}` : ""
  const who = owner === null ? "" : `: process ${owner.startedBy ?? owner.pid}${elsewhere}${where}`
  return new DocketError(
    "data_directory_locked",
    // A command never listens, and a service does not listen yet while it starts.
    owner?.url === null
      ? `a docket command, or a Docket that is starting, works on ${directory}${who}. Wait until it is done, stop it, or choose another directory with --data.`
      : `${directory} is in use by a running Docket${who}. Use that one, stop it, or choose another directory with --data.`,
  )
}

/** The file may be left over from a killed process until the next owner has written it. */
function readOwner(file: string): LockOwner | null {
  try {
    return LockOwner.parse(JSON.parse(readBoundedFileSync(file, maxOwnerBytes).toString("utf8")))
  } catch {
    return null
  }
}
