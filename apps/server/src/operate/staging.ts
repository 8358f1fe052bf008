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
const stepFile = "state.json"
/** Entries that are not moved: the lock is held by these files. */
const unmoved = new Set(["lock.db", "lock.json", stagingName])

/**
 * `committing`: an external database is about to get the new rows, while the files are still the old ones. `moving`:
 * the files are being moved into place.
 */
const RestoreStep = z.object({ phase: z.enum(["committing", "moving"]), keepIn: z.string().nullable() })
type RestoreStep = z.infer<typeof RestoreStep>

export interface Staging {
  /** The directory for the restored files. */
  files: string
  /**
   * Records that an external database is about to change, so that the service does not start after a partial restore.
   */
  recordCommit(): void
  /** Moves the old files to `keepIn` and the new files into place. If interrupted, the next restore completes it. */
  settle(keepIn: string | null): void
  abandon(): void
}

/** The entries of a data directory, except the lock and files of other programs, such as the one that runs this. */
export function dataIn(data: string): string[] {
  return existsSync(data) ? readdirSync(data).filter((name) => !unmoved.has(name) && !holdsNoData(data, name)) : []
}

/** The phase in which a restore was interrupted; null when none was, or it has changed nothing. */
export function brokenRestore(data: string): RestoreStep["phase"] | null {
  return readStep(data)?.phase ?? null
}

/** Completes a restore that was interrupted while it moved files. True when there was one. */
export function finishBrokenRestore(data: string): boolean {
  const step = readStep(data)
  if (step?.phase !== "moving") return false
  move(data, step.keepIn)
  return true
}

/** An empty staging directory. Files of a killed restore are removed. */
export function openStaging(data: string): Staging {
  const root = path.join(data, stagingName)
  const files = path.join(root, filesName)
  const wasBrokenOff = readStep(data) !== null
  // The state file stays until a new one is written, because without it a service would start.
  rmSync(files, { recursive: true, force: true })
  mkdirSync(files, { recursive: true, mode: 0o700 })
  return {
    files,
    recordCommit: () => writeStep(data, { phase: "committing", keepIn: null }),
    settle(keepIn) {
      writeStep(data, { phase: "moving", keepIn })
      move(data, keepIn)
    },
    abandon: () => rmSync(wasBrokenOff ? files : root, { recursive: true, force: true }),
  }
}

/** Puts the staged files into place. Does what is left to do when an earlier call was interrupted at any point. */
function move(data: string, keepIn: string | null): void {
  const root = path.join(data, stagingName)
  const files = path.join(root, filesName)
  const stagedNames = readdirSync(files)
  // Exists once all old entries were moved away.
  const done = path.join(root, "moved")
  if (!existsSync(done)) {
    const old = dataIn(data).filter((name) => name !== keepIn && !name.startsWith("before-"))
    if (keepIn !== null) mkdirSync(path.join(data, keepIn), { recursive: true, mode: 0o700 })
    for (const name of old) if (keepIn !== null) renameSync(path.join(data, name), path.join(data, keepIn, name))
    writeFileSync(done, "")
  }
  for (const name of stagedNames) moveInto(path.join(files, name), path.join(data, name))
  rmSync(root, { recursive: true })
}

/** Moves an entry. If the target directory exists, moves its missing entries. */
function moveInto(from: string, to: string): void {
  if (!existsSync(to)) renameSync(from, to)
  else
    for (const name of readdirSync(from))
      if (!existsSync(path.join(to, name))) renameSync(path.join(from, name), path.join(to, name))
}

function readStep(data: string): RestoreStep | null {
  const file = path.join(data, stagingName, stepFile)
  return existsSync(file) ? RestoreStep.parse(JSON.parse(readFileSync(file, "utf8"))) : null
}

function writeStep(data: string, step: RestoreStep): void {
  const file = path.join(data, stagingName, stepFile)
  writeFileSync(`${file}.new`, JSON.stringify(step), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}
