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

/** Files that one command may find closed; more would be mounted too slowly. */
const maxClosed = 1_000
const prefix = "closed-"
const ownerExecutes = 0o100

/** What a program finds in the place of files that are closed to it. */
interface StandIns {
  mounts: Mount[]
  /** For when nothing of it runs any more. */
  remove(): void
}

/**
 * Files that nobody can open, in the place of others: opening fails with EACCES, also for root without capabilities. Size
 * and time of the last change are those of the file, so that git takes it for unchanged without reading it. Where a file
 * cannot be looked at, its directory is shut.
 * @param root where they are made; no program sees it
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

/** Whether a file in the sandbox's own directory stood in for another one. */
export function isOfStandIns(name: string): boolean {
  return name.startsWith(prefix)
}

/**
 * A mount that shuts a directory, or the one above that keeps it from being looked at. Null where none is there, or it is
 * not of this service's user: no program opens it then.
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
    // Whole seconds: so git compares them, and nothing is rounded up.
    const time = Math.floor(facts.mtimeMs / 1_000)
    futimesSync(descriptor, time, time)
  } finally {
    closeSync(descriptor)
  }
  // Git looks at who may run a file, too.
  chmodSync(at, facts.mode & ownerExecutes)
  return { kind: "closed-file", path: file, standIn: at }
}

/** Null where nothing is. */
function lookAt(file: string): Stats | "closed" | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOTDIR" ? null : "closed"
  }
}
