import { lstatSync, readdirSync, type Stats } from "node:fs"
import path from "node:path"

/** Most files and directories that are looked at, because nothing else is watched meanwhile. */
const mostEntries = 300_000
/** `st_blocks` counts blocks of 512 bytes, whatever the block size of the disk is. */
const blockBytes = 512

/**
 * Bytes on disk of the files that changed since a time (epoch ms); stops counting at `enough`. Links are not followed,
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
    // The directory is gone or may not be read.
    return []
  }
}

/** Undefined when the file is gone, or when the system refuses it because its path is too long. */
function factsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
