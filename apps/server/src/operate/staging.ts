import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { z } from "zod"
import { holdsNoData } from "./home-files.ts"

/**
 * The directory in which a restore collects its files before they take effect. It is inside the data directory, which
 * may be a separate disk.
 */
const stagingName = ".restoring"
const filesName = "files"
const markName = "state.json"
/** Entries that are not moved: the lock is held by these files. */
const stays = new Set(["lock.db", "lock.json", stagingName])

/**
 * `committing`: an external database is about to get the new rows, while the files are still the old ones. `moving`:
 * the files are being moved into place.
 */
const Mark = z.object({ phase: z.enum(["committing", "moving"]), keepIn: z.string().nullable() })
type Mark = z.infer<typeof Mark>

export interface Staging {
  /** The directory for the restored files. */
  files: string
  /**
   * Records that an external database is about to change, so that the service does not start after a partial restore.
   */
  mark(): void
  /** Moves the old files to `keepIn` and the new files into place. If interrupted, the next restore completes it. */
  settle(keepIn: string | null): void
  abandon(): void
}

/** The entries of a data directory, except the lock and files of other programs, such as the one that runs this. */
export function dataIn(data: string): string[] {
  return existsSync(data) ? readdirSync(data).filter((name) => !stays.has(name) && !holdsNoData(data, name)) : []
}

/** The state of an interrupted restore; null when it has changed nothing. */
export function brokenRestore(data: string): Mark["phase"] | null {
  return readMark(data)?.phase ?? null
}

/** Completes a restore that was interrupted while it moved files. True when there was one. */
export function finishBrokenRestore(data: string): boolean {
  const mark = readMark(data)
  if (mark?.phase !== "moving") return false
  move(data, mark.keepIn)
  return true
}

/** An empty staging directory. Files of a killed restore are removed. */
export function openStaging(data: string): Staging {
  const root = path.join(data, stagingName)
  const files = path.join(root, filesName)
  const isMarked = readMark(data) !== null
  // The state file stays until a new one is written, because without it a service would start.
  rmSync(files, { recursive: true, force: true })
  mkdirSync(files, { recursive: true, mode: 0o700 })
  return {
    files,
    mark: () => writeMark(data, { phase: "committing", keepIn: null }),
    settle(keepIn) {
      writeMark(data, { phase: "moving", keepIn })
      move(data, keepIn)
    },
    abandon: () => rmSync(isMarked ? files : root, { recursive: true, force: true }),
  }
}

/** Any step may already be done by an earlier call. */
function move(data: string, keepIn: string | null): void {
  const root = path.join(data, stagingName)
  const files = path.join(root, filesName)
  const coming = readdirSync(files)
  const done = path.join(root, "moved")
  if (!existsSync(done)) {
    const old = dataIn(data).filter((name) => name !== keepIn && !name.startsWith("before-"))
    if (keepIn !== null) mkdirSync(path.join(data, keepIn), { recursive: true, mode: 0o700 })
    for (const name of old) if (keepIn !== null) renameSync(path.join(data, name), path.join(data, keepIn, name))
    writeFileSync(done, "")
  }
  for (const name of coming) bring(path.join(files, name), path.join(data, name))
  rmSync(root, { recursive: true })
}

/** Moves an entry. If the target directory exists, moves its missing entries. */
function bring(from: string, to: string): void {
  if (!existsSync(to)) renameSync(from, to)
  else
    for (const name of readdirSync(from))
      if (!existsSync(path.join(to, name))) renameSync(path.join(from, name), path.join(to, name))
}

function readMark(data: string): Mark | null {
  const file = path.join(data, stagingName, markName)
  return existsSync(file) ? Mark.parse(JSON.parse(readFileSync(file, "utf8"))) : null
}

function writeMark(data: string, mark: Mark): void {
  const file = path.join(data, stagingName, markName)
  writeFileSync(`${file}.new`, JSON.stringify(mark), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
