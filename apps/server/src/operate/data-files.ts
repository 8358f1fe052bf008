import { readdir, readFile, stat } from "node:fs/promises"
import path from "node:path"
import { databaseRecord } from "../database-record.ts"
import { isOfOtherPrograms } from "./home-files.ts"
import { whyKeysOmit, withoutKeys } from "./without-keys.ts"

export interface DataFile {
  /** Relative to the data directory, with `/`. */
  path: string
  size: number
  mode: number
  /** Content that replaces the file's own. */
  content?: Buffer
  /** Fetches a file that is not in the data directory; null when it cannot be had whole. */
  fetch?(): Promise<{ file: string; remove(): Promise<void> } | null>
}

export interface DataFiles {
  directories: string[]
  files: DataFile[]
  leftOut: Record<string, string>
}

/**
 * Files that are not copied: the database is copied by rows; the others belong to the running process, or are created
 * again.
 */
const ofTheService = /^(?:docket\.db.*|lock\.(?:db.*|json.*)|before-.*|\.restoring|.*\.tmp|.*\.new)$/
/** Files of the running process that are not copied either: they are in the directory of each workspace. */
const ofTheProcess = new Set(["last-sign", "running-commands", "sandbox"])

/**
 * The files of a data directory that a backup includes. Worktrees are left out, because the projects' repositories hold
 * the work of tasks as commits; links are left out too.
 */
export async function findDataFiles(data: string, { withKeys }: { withKeys: boolean }): Promise<DataFiles> {
  const found: DataFiles = { directories: [], files: [], leftOut: {} }
  /** Why a path is left out: null when it is included, empty when the backup need not say that it is missing. */
  const whyNot = (relative: string): string | null => {
    const parts = relative.split("/")
    // The files of the first workspace are in the data directory itself, those of the others in `workspaces/<id>`.
    const isOfOtherWorkspace = parts[0] === "workspaces"
    const own = isOfOtherWorkspace ? parts.slice(2) : parts
    const [name = ""] = own
    const isOfTheService = !isOfOtherWorkspace && (ofTheService.test(name) || name === databaseRecord)
    if (isOfOtherPrograms(relative)) return "other programs keep it there, and fetch it again"
    if (own.length === 1) {
      if (isOfTheService || ofTheProcess.has(name)) return ""
      if (name === "blobs") return "copies of what the store of contents has"
      if (name === "worktrees") return "the projects' repositories hold the work of tasks"
      if (name === "repositories") return "they are fetched again"
    }
    if (withKeys) return null
    // The home of the first workspace may be the data directory; the others have their own inside theirs.
    const homeInside = name === "home" ? own.slice(1) : []
    return whyKeysOmit(own, isOfOtherWorkspace ? homeInside : parts)
  }
  const walk = async (relative: string): Promise<void> => {
    const entries = await readdir(path.join(data, relative), { withFileTypes: true }).catch(ifGone([]))
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const place = relative === "" ? entry.name : `${relative}/${entry.name}`
      const why = whyNot(place)
      if (why === "") continue
      if (why !== null) found.leftOut[place] = why
      else if (entry.isDirectory()) {
        found.directories.push(place)
        await walk(place)
      } else if (entry.isFile()) await add(place)
      else found.leftOut[place] = "neither a file nor a directory"
    }
  }
  const add = async (place: string): Promise<void> => {
    const stats = await stat(path.join(data, place)).catch(ifGone(null))
    if (stats === null) return
    const file = { path: place, size: stats.size, mode: stats.mode & 0o777 }
    const without = withKeys ? null : withoutKeys(place)
    if (without === null) return void found.files.push(file)
    const read = await readFile(path.join(data, place)).catch(ifGone(null))
    if (read === null) return
    const { content, left } = without(read)
    if (left !== null) found.leftOut[place] = left
    if (content !== null) found.files.push({ ...file, size: content.length, content })
  }
  await walk("")
  return found
}

/** A running service may remove files meanwhile. */
function ifGone<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === "ENOENT") return instead
    throw error
  }
}
