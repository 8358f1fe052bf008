import { createHash } from "node:crypto"
import { createReadStream, type Dirent } from "node:fs"
import { lstat, opendir } from "node:fs/promises"
import { join } from "node:path"
import { settledStamp, stampOf } from "../../ground/file/file-stamp.ts"

/** Most files beside a skill's text and most bytes of them together, so that they can be looked at whole. */
export const besideLimits = { files: 200, bytes: 16 * 1024 * 1024, depth: 6 }

export interface BesideFiles {
  /** Absolute paths of regular files, sorted. Links and what is no file are left out. */
  files: string[]
  /** There is more than the limits take. */
  more: boolean
}

/** The files in a skill's directory and below it, its SKILL.md left out. */
export async function besideFiles(directory: string): Promise<BesideFiles> {
  const files: string[] = []
  let more = false
  const visit = async (at: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(at)) {
      const path = join(at, entry.name)
      if (more || path === join(directory, "SKILL.md")) continue
      if (entry.isFile()) files.push(path)
      if (files.length > besideLimits.files || (entry.isDirectory() && depth >= besideLimits.depth)) more = true
      else if (entry.isDirectory()) await visit(path, depth + 1)
    }
  }
  await visit(directory, 0)
  return { files: files.slice(0, besideLimits.files).sort(), more }
}

/** At most as many as tell that there are too many files, one of them being the SKILL.md. */
async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries: Dirent[] = []
  const opened = await opendir(directory).catch(() => null)
  if (opened === null) return []
  for await (const entry of opened) {
    entries.push(entry)
    if (entries.length > besideLimits.files + 1) break
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A file and the SHA-256 of what it holds (hex). */
export interface HashedFile {
  file: string
  sha256: string
}

/** Tells what files hold without reading one again that is as it was. Null when there is more than the limit. */
export type HashFiles = (files: readonly string[]) => Promise<HashedFile[] | null>

export function createHashFiles(): HashFiles {
  const known = new Map<string, { stamp: string; sha256: string }>()
  return async (files) => {
    let left = besideLimits.bytes
    const hashed: HashedFile[] = []
    for (const file of files) {
      const facts = await lstat(file, { bigint: true }).catch(() => null)
      if (facts === null || !facts.isFile()) continue
      left -= Number(facts.size)
      if (left < 0) return null
      const before = known.get(file)
      const sha256 = before?.stamp === stampOf(facts) ? before.sha256 : await sha256Of(file)
      const stamp = settledStamp(facts)
      if (stamp !== null) known.set(file, { stamp, sha256 })
      hashed.push({ file, sha256 })
    }
    return hashed
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest("hex")
}
