import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { instructionNames } from "./instruction-names.ts"

/** Most directories of a project that are looked through, most levels below its top, and most that count. */
const nestedLimits = { directories: 1_000, depth: 6, found: 50 }

/** What others wrote, or programs made. */
export const foreignDirectories: ReadonlySet<string> = new Set(
  "node_modules bower_components vendor Pods venv __pycache__ target build dist out coverage".split(" "),
)

/**
 * Directories below a project's top that may hold instructions of their own, those nearest to it first. Hidden ones,
 * links and what is installed or built is not looked at.
 */
export async function nestedDirectories(top: string): Promise<string[]> {
  const found: string[] = []
  let level = [top]
  let left = nestedLimits.directories
  for (let depth = 0; depth <= nestedLimits.depth && level.length > 0; depth++) {
    const read = await Promise.all(level.slice(0, left).map(async (at) => ({ at, entries: await entriesOf(at) })))
    left -= read.length
    found.push(...read.filter(({ at, entries }) => at !== top && entries.some(maybeInstructions)).map(({ at }) => at))
    level = read.flatMap(({ at, entries }) => entries.filter(isLookedAt).map(({ name }) => join(at, name)))
  }
  return found.slice(0, nestedLimits.found)
}

const firstNames = new Set(instructionNames.map((name) => name.split("/")[0]))

function maybeInstructions({ name }: Dirent): boolean {
  return firstNames.has(name)
}

function isLookedAt(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith(".") && !foreignDirectories.has(entry.name)
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}
