import { isUtf8 } from "node:buffer"
import { type Dirent, lstatSync, readdirSync, renameSync, type Stats } from "node:fs"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { freeName, inDirectory, withWriting } from "./held-directory.ts"

/** After this many directories, other work of the service runs. */
const atOnce = 500
/** At most this many directories are watched. */
export const maxDirectories = 300_000
/** Bytes of a path. Longer paths soon exceed the system's limit, so that their contents cannot be read. */
const maxPath = 3_000
/** ms. A directory that changed this shortly before it was read may change again within the same timestamp. */
const tooFresh = 50

export interface KnownDirectories {
  /**
   * Reads all directories that are new or changed since the last call; a removed one has no entries.
   * @param among which known directories to check; new directories in them are always read
   * @returns the number of reads, unreadable directories, and the roots whose new directories exceeded the limit
   */
  look(
    onRead: (directory: string, entries: Dirent[]) => void,
    among?: (directory: string) => boolean,
  ): Promise<{ read: number; unread: string[]; full: string[] }>
  /** The directories that could not be read at the last check. */
  unread(): string[]
  /** Directories whose name is not valid text. */
  undecodable(): UndecodableDirectory[]
}

/**
 * Knows the directories below some roots by their change time (ctime), which programs cannot set. So a second look
 * checks one timestamp per directory and reads only changed ones.
 * @param skip directories below the roots that are left out
 */
export function createKnownDirectories(
  roots: readonly string[],
  { skip, clock, most = maxDirectories }: { skip: readonly string[]; clock(): number; most?: number },
): KnownDirectories {
  /** NaN equals nothing: a directory with it is read again at the next look. */
  const known = new Map<string, { inode: number; changed: number }>()
  const skipped = new Set(skip)
  const unreadable = new Set<string>()
  const undecodable = new Map<string, UndecodableDirectory[]>()
  return {
    undecodable: () => [...undecodable.values()].flat(),
    unread: () => [...unreadable],
    async look(onRead, among = () => true) {
      const unread: string[] = []
      const full = new Set<string>()
      let seen = 0
      let read = 0
      const refuse = (directory: string) => {
        known.set(directory, { inode: Number.NaN, changed: Number.NaN })
        unreadable.add(directory)
        unread.push(directory)
      }
      const visit = (directory: string, added: string[]) => {
        const facts = factsOf(directory)
        if (facts === "refused" && isListed(directory)) return refuse(directory)
        if (facts === undefined || facts === "refused" || !facts.isDirectory()) {
          unreadable.delete(directory)
          undecodable.delete(directory)
          if (known.delete(directory)) onRead(directory, [])
          return
        }
        const before = known.get(directory)
        if (before?.inode === facts.ino && before.changed === facts.ctimeMs) return
        const now = clock()
        read++
        try {
          if (Buffer.byteLength(directory) > maxPath) throw new Error("too deep")
          const entries = readdirSync(directory, { withFileTypes: true })
          const nameless = undecodableIn(directory, entries)
          if (nameless.length > 0) undecodable.set(directory, nameless)
          else undecodable.delete(directory)
          unreadable.delete(directory)
          const isFresh = facts.ctimeMs > now - tooFresh
          known.set(directory, { inode: facts.ino, changed: isFresh ? Number.NaN : facts.ctimeMs })
          onRead(directory, entries)
          for (const entry of entries) {
            const inner = path.join(directory, entry.name)
            if (entry.isDirectory() && !known.has(inner) && !skipped.has(inner)) added.push(inner)
          }
        } catch {
          refuse(directory)
        }
      }
      let next = [...new Set([...roots, ...known.keys()])].filter((place) => unreadable.has(place) || among(place))
      while (next.length > 0) {
        const added: string[] = []
        for (const directory of next) {
          if (known.size >= most && !known.has(directory)) {
            const root = roots.find((place) => isWithin(place, directory))
            if (root !== undefined) full.add(root)
            // Read again next time, when there may be room.
            const above = known.get(path.dirname(directory))
            if (above !== undefined) above.changed = Number.NaN
          } else visit(directory, added)
          if (++seen % atOnce === 0) await new Promise(setImmediate)
        }
        next = added
      }
      return { read, unread: outermost(unread), full: [...full] }
    },
  }
}

/** Without directories that are inside another one of the list. */
function outermost(directories: readonly string[]): string[] {
  const all = new Set(directories)
  return directories.filter((directory) => {
    let above = path.dirname(directory)
    while (!all.has(above) && above !== path.dirname(above)) above = path.dirname(above)
    return !all.has(above)
  })
}

/** Whether the parent directory lists this one or cannot be read. A path that is too long always counts as refused. */
function isListed(directory: string): boolean {
  try {
    return readdirSync(path.dirname(directory)).includes(path.basename(directory))
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT")
  }
}

/** Undefined when nothing is there. A path that the system refuses may exist, and git may reach it in another way. */
function factsOf(directory: string): Stats | "refused" | undefined {
  try {
    return lstatSync(directory, { throwIfNoEntry: false })
  } catch {
    return "refused"
  }
}

/** How many directories inside are searched; a directory with more may contain anything. */
const maxListed = 1_000

/** A directory whose name is not valid UTF-8: it cannot be found by its text. */
interface UndecodableDirectory {
  parent: string
  name: Buffer
}

/** The undecodable directories in a directory that was just read. */
function undecodableIn(parent: string, entries: readonly Dirent[]): UndecodableDirectory[] {
  if (!entries.some((entry) => entry.isDirectory() && entry.name.includes("\ufffd"))) return []
  return readdirSync(parent, { withFileTypes: true, encoding: "buffer" })
    .filter((entry) => entry.isDirectory() && !isUtf8(entry.name))
    .map(({ name }) => ({ parent, name }))
}

/** A unique key. */
export function undecodableKey({ parent, name }: UndecodableDirectory): string {
  return path.join(parent, name.toString("latin1"))
}

/** Whether something inside has one of these names (lower case), or that cannot be known. */
export function mayHold({ parent, name }: UndecodableDirectory, names: (name: string) => boolean): boolean {
  const waiting = [inside(Buffer.from(parent), name)]
  for (let count = 1; ; count++) {
    const directory = waiting.pop()
    if (directory === undefined) return false
    if (count > maxListed) return true
    try {
      for (const entry of readdirSync(directory, { withFileTypes: true, encoding: "buffer" })) {
        if (names(entry.name.toString().toLowerCase())) return true
        if (entry.isDirectory()) waiting.push(inside(directory, entry.name))
      }
    } catch {
      return true
    }
  }
}

/** Renames it to a readable name; null when that fails. */
export function giveReadableName({ parent, name }: UndecodableDirectory): string | null {
  return inDirectory(parent, (held) => {
    const readable = name.toString("latin1").replace(/[^\w.-]/g, "_")
    const fresh = freeName(held, `${readable.slice(0, 200)}.switched-off`)
    try {
      withWriting(held, () => renameSync(inside(Buffer.from(held), name), `${held}/${fresh}`))
      return fresh
    } catch {
      return null
    }
  })
}

function inside(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from("/"), name])
}
