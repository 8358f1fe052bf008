import { lstatSync, readdirSync, type Stats } from "node:fs"
import path from "node:path"

/** Files and directories that are looked at: while this goes on, nothing else is watched. */
const mostEntries = 300_000
/** Bytes of a block of `st_blocks`, whatever the disk's own are. */
const blockBytes = 512

/**
 * Bytes on disks of files in some places that changed since a moment (epoch ms), as far as `enough`. Links are not followed,
 * and a file with several names counts once.
 */
export function roomSince(places: readonly string[], since: number, enough: number): number {
  const counted = new Set<string>()
  const left = [...places]
  let sum = 0
  let entries = 0
  for (let directory = left.pop(); directory !== undefined && sum < enough; directory = left.pop()) {
    for (const name of namesIn(directory)) {
      const file = path.join(directory, name)
      if (++entries > mostEntries) return sum
      const facts = factsOf(file)
      if (facts === undefined) continue
      if (facts.isDirectory()) left.push(file)
      if (!facts.isFile() || facts.ctimeMs < since) continue
      const id = `${facts.dev} ${facts.ino}`
      if (facts.nlink > 1 && counted.has(id)) continue
      if (facts.nlink > 1) counted.add(id)
      sum += facts.blocks * blockBytes
    }
  }
  return sum
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    // It is gone, or nobody may look there.
    return []
  }
}

/** Undefined for what is gone, and for what the system cannot look at, as its path is too long. */
function factsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
