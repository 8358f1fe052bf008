import {
  chmodSync,
  closeSync,
  ftruncateSync,
  futimesSync,
  lstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  type Stats,
} from "node:fs"
import path from "node:path"
import type { Mount } from "./mount.ts"

/** How many files can be closed to one command; mounting more would be too slow. */
const maxClosed = 1_000
const prefix = "closed-"
const ownerExecutes = 0o100

/** The replacements of files that are closed to a program. */
interface StandIns {
  mounts: Mount[]
  /** Call it when no process of the program runs any more. */
  remove(): void
}

/**
 * Creates files to be mounted over closed ones: opening them fails with EACCES, also for root without capabilities.
 * They have the size and mtime of the original, so that git treats it as unchanged without reading it. The directory of
 * a file that cannot be inspected is shut.
 * @param root directory for the stand-ins; hidden from all programs
 * @throws Error when there are too many files
 */
export function standInsFor(files: readonly string[], root: string): StandIns {
  if (files.length === 0) return { mounts: [], remove: () => {} }
  if (files.length > maxClosed) {
    throw new Error(
      `The rules for read close ${files.length} files here, and at most ${maxClosed} can be kept from a command one by one. Nothing was run. Tell the user: places of this size are kept from commands by "sandbox": { "hide": [...] } in docket.json.`,
    )
  }
  const directory = mkdtempSync(path.join(root, prefix))
  const mounts = new Map<string, Mount>()
  for (const [index, file] of files.entries()) {
    const mount = standIn(file, path.join(directory, String(index)))
    if (mount !== null) mounts.set(mount.path, mount)
  }
  return { mounts: [...mounts.values()], remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** Whether a file in the sandbox directory is a stand-in. */
export function isOfStandIns(name: string): boolean {
  return name.startsWith(prefix)
}

/**
 * A mount that shuts a directory, or the parent directory that prevents its inspection. Null when it is missing or
 * belongs to another user: then no program can open it.
 */
export function shutDirectory(directory: string): Mount | null {
  const facts = lookAt(directory)
  if (facts === "closed") return directory === "/" ? null : shutDirectory(path.dirname(directory))
  const isOurs = facts?.isDirectory() === true && facts.uid === process.geteuid?.()
  return isOurs ? { kind: "shut-directory", path: directory } : null
}

function standIn(file: string, at: string): Mount | null {
  const facts = lookAt(file)
  if (facts === "closed") return shutDirectory(path.dirname(file))
  if (facts === null || facts.isDirectory() || facts.isSymbolicLink()) return null
  const descriptor = openSync(at, "wx", 0o600)
  try {
    ftruncateSync(descriptor, facts.size)
    // Whole seconds, because git compares these; rounded down.
    const time = Math.floor(facts.mtimeMs / 1_000)
    futimesSync(descriptor, time, time)
  } finally {
    closeSync(descriptor)
  }
  // git compares the execute bit too.
  chmodSync(at, facts.mode & ownerExecutes)
  return { kind: "closed-file", path: file, standIn: at }
}

/** Null when nothing is there; `closed` when it cannot be inspected. */
function lookAt(file: string): Stats | "closed" | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOTDIR" ? null : "closed"
  }
}
