import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { DocketError, readBoundedFileSync } from "@docket/core"
import { z } from "zod"
import { processStart } from "./process-start.ts"

/** `<data>/lock.json`: which process owns the data directory, and where it answers. */
export const LockOwner = z.object({
  pid: z.number().int(),
  /** Start of that process; see `processStart`. */
  start: z.string().nullable(),
  /** Null until it listens. */
  url: z.string().nullable(),
})
export type LockOwner = z.infer<typeof LockOwner>

export interface DataLock {
  /** Writes down where the service answers, so that a client on this machine finds it. */
  publish(url: string): void
  release(): void
}

export const lockFileName = "lock.json"
/** Most bytes of the lock. */
const maxLock = 65_536

/**
 * Makes this process the only one that uses the data directory. The lock of a process that died is taken
 * over. @throws data_directory_locked while its owner lives
 */
export function lockDataDirectory(directory: string): DataLock {
  const file = path.join(directory, lockFileName)
  const own = `${file}.${process.pid}`
  const owner: LockOwner = { pid: process.pid, start: processStart(process.pid), url: null }
  const write = (value: LockOwner) => writeFileSync(own, JSON.stringify(value), { mode: 0o600 })
  write(owner)
  try {
    claim(file, own)
  } finally {
    rmSync(own, { force: true })
  }
  return {
    publish(url) {
      write({ ...owner, url })
      renameSync(own, file)
    },
    release() {
      if (readOwner(file)?.pid === process.pid) rmSync(file, { force: true })
    },
  }
}

/** The live owner of a data directory, or null. */
export function findOwner(directory: string): LockOwner | null {
  const owner = readOwner(path.join(directory, lockFileName))
  return owner && isAlive(owner) ? owner : null
}

/** A hard link appears whole or not at all, and fails when the name is taken (link(2)). */
function claim(file: string, own: string): void {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      linkSync(own, file)
      return
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    }
    const text = readText(file)
    const owner = text === null ? null : parseOwner(text)
    if (owner && isAlive(owner)) throw locked(path.dirname(file), owner)
    if (text !== null) setAside(file, own, text)
  }
  throw new DocketError("data_directory_locked", `could not lock ${path.dirname(file)}: another process is taking it`)
}

/** Moves a dead owner's lock away. When someone else took over in between, theirs is put back. */
function setAside(file: string, own: string, dead: string): void {
  const aside = `${own}.dead`
  try {
    renameSync(file, aside)
    if (readText(aside) !== dead) linkSync(aside, file)
  } catch {
    // Another process was faster; the next attempt reads its lock.
  } finally {
    rmSync(aside, { force: true })
  }
}

function isAlive({ pid, start }: LockOwner): boolean {
  if (pid === process.pid) return true
  const current = processStart(pid)
  return current !== null && (start === null || current === start)
}

function locked(directory: string, { pid, url }: LockOwner): DocketError {
  const where = url ? ` and answers on ${url}` : ""
  return new DocketError(
    "data_directory_locked",
    `${directory} is in use by a running Docket: process ${pid}${where}. Use that one, stop it, or choose another directory with --data.`,
  )
}

function readOwner(file: string): LockOwner | null {
  const text = readText(file)
  return text === null ? null : parseOwner(text)
}

function readText(file: string): string | null {
  try {
    return readBoundedFileSync(file, maxLock).toString("utf8")
  } catch {
    return null
  }
}

function parseOwner(text: string): LockOwner | null {
  try {
    return LockOwner.parse(JSON.parse(text))
  } catch {
    return null
  }
}
