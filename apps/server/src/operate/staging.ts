import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { z } from "zod"
import { holdsNoData } from "./home-files.ts"

/** Where a restore puts everything together before any of it counts: in the data directory, which may be a disk of its own. */
const stagingName = ".restoring"
const filesName = "files"
const markName = "state.json"
/** What stays where it is: the lock is held by it. */
const stays = new Set(["lock.db", "lock.json", stagingName])

/**
 * `committing`: a database elsewhere is about to have the new rows, the files are still the old ones. `moving`: files are
 * being moved into their place.
 */
const Mark = z.object({ phase: z.enum(["committing", "moving"]), keepIn: z.string().nullable() })
type Mark = z.infer<typeof Mark>

export interface Staging {
  /** Where the restored files are put together. */
  files: string
  /** Writes down that a database elsewhere changes now: the service does not start on half of it. */
  mark(): void
  /** Moves what was there to `keepIn` and the new files into its place. What is broken off is finished by the next restore. */
  settle(keepIn: string | null): void
  abandon(): void
}

/** What a data directory holds, but for a lock and what other programs keep there: one of them may run this. */
export function dataIn(data: string): string[] {
  return existsSync(data) ? readdirSync(data).filter((name) => !stays.has(name) && !holdsNoData(data, name)) : []
}

/** The state in which a restore was broken off; null when nothing of it counts. */
export function brokenRestore(data: string): Mark["phase"] | null {
  return readMark(data)?.phase ?? null
}

/** Ends a restore that was broken off while it moved files. True when there was one. */
export function finishBrokenRestore(data: string): boolean {
  const mark = readMark(data)
  if (mark?.phase !== "moving") return false
  move(data, mark.keepIn)
  return true
}

/** An empty place for a restore. What was left there by one that was killed is removed. */
export function openStaging(data: string): Staging {
  const root = path.join(data, stagingName)
  const files = path.join(root, filesName)
  const isMarked = readMark(data) !== null
  // The mark stays until the new one is written: without it a service would start.
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

/** Every step may have been done already. */
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

/** Moves it there. A directory that stayed gets what it lacks. */
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
