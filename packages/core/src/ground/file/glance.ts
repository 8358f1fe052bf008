import { readdir, stat } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { isWithin } from "./is-within.ts"

/**
 * One look at some directories, by which all who search them for files leave out what is not there. Each directory is
 * listed once, however many paths in it are asked about. It serves for a moment: what comes later needs another.
 */
export interface Glance {
  /** The items whose path may be there, in order. */
  present<T>(items: readonly T[], pathOf: (item: T) => string): Promise<T[]>
}

/** Bytes of a directory, which grow with its entries, up to which it is listed: whoever fills it must not cost time. */
const mostBytes = 64 * 1024

/**
 * @param bases directories: what lies outside all of them may be there
 * @param options.isOwn they are the user's own, and are listed whatever they hold
 */
export function createGlance(bases: Iterable<string>, { isOwn = false }: { isOwn?: boolean } = {}): Glance {
  const tops = new Set(bases)
  const listings = new Map<string, Promise<Names>>()
  const listed = (directory: string) => {
    const known = listings.get(directory) ?? namesIn(directory, isOwn ? null : mostBytes)
    listings.set(directory, known)
    return known
  }
  const mayHold = async (path: string): Promise<boolean> => {
    if (tops.has(path)) return true
    const parent = dirname(path)
    if (!(await mayHold(parent))) return false
    const names = await listed(parent)
    return names === "unknown" || names.has(folded(basename(path)))
  }
  return {
    async present(items, pathOf) {
      const isThere = await Promise.all(
        items.map(async (item) => {
          const path = pathOf(item)
          return ![...tops].some((top) => isWithin(top, path)) || (await mayHold(path))
        }),
      )
      return items.filter((_, at) => isThere[at])
    },
  }
}

/** `unknown`: too many, or they cannot be listed. */
type Names = ReadonlySet<string> | "unknown"

async function namesIn(directory: string, most: number | null): Promise<Names> {
  try {
    if (most !== null && (await stat(directory)).size > most) return "unknown"
    return new Set((await readdir(directory)).map(folded))
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    return code === "ENOENT" || code === "ENOTDIR" ? new Set() : "unknown"
  }
}

/**
 * The same for all names that some file system takes for one: with capitals or without, or with characters of no width.
 */
function folded(name: string): string {
  return name
    .toUpperCase()
    .toLowerCase()
    .replace(/[^\x20-\x7e]/g, "")
}
