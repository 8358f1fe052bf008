import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs"
import path from "node:path"

/** Directories after which other work of the service has its turn. */
const atOnce = 500
/** More than these are not looked at. */
const maxDirectories = 300_000
/** Bytes of a path; longer ones soon are longer than the system takes, and what lies there cannot be looked at. */
const maxPath = 3_000
/** ms: a directory that changed so shortly before it was read may change again with the same time. */
const tooFresh = 50

export interface KnownDirectories {
  /**
   * Reads all directories that are new or changed since the last look; one that is gone has no entries.
   * @param among those of the known ones that are looked at; new ones in them always are
   * @returns how many were read, and what could not be read
   */
  look(
    onRead: (directory: string, entries: Dirent[]) => void,
    among?: (directory: string) => boolean,
  ): Promise<{ read: number; unread: string[] }>
  /** Those that could not be read when they were last looked at. */
  unread(): string[]
}

/**
 * Knows the directories below some places by the time of their last change, which no program can set: so a second look
 * asks for one time each and reads what has another one.
 * @param skip places below these that are left out
 */
export function createKnownDirectories(
  roots: readonly string[],
  { skip, clock }: { skip: readonly string[]; clock(): number },
): KnownDirectories {
  const known = new Map<string, { inode: number; changed: number }>()
  const left = new Set(skip)
  const closed = new Set<string>()
  return {
    unread: () => [...closed],
    async look(onRead, among = () => true) {
      const unread: string[] = []
      let seen = 0
      let read = 0
      const visit = (directory: string, added: string[]) => {
        const facts = factsOf(directory)
        if (facts === null || !facts.isDirectory()) {
          closed.delete(directory)
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
          closed.delete(directory)
          const isFresh = facts.ctimeMs > now - tooFresh
          known.set(directory, { inode: facts.ino, changed: isFresh ? Number.NaN : facts.ctimeMs })
          onRead(directory, entries)
          for (const entry of entries) {
            const inner = path.join(directory, entry.name)
            if (entry.isDirectory() && !known.has(inner) && !left.has(inner)) added.push(inner)
          }
        } catch {
          known.set(directory, { inode: facts.ino, changed: Number.NaN })
          closed.add(directory)
          unread.push(directory)
        }
      }
      let next = [...new Set([...roots, ...known.keys()])].filter((place) => closed.has(place) || among(place))
      while (next.length > 0) {
        const added: string[] = []
        for (const directory of next) {
          if (known.size > maxDirectories && !known.has(directory)) {
            unread.push(directory)
            break
          }
          visit(directory, added)
          if (++seen % atOnce === 0) await new Promise(setImmediate)
        }
        next = added
      }
      return { read, unread }
    },
  }
}

function factsOf(directory: string): Stats | null {
  try {
    return lstatSync(directory, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
