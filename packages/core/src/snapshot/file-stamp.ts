import { lstat } from "node:fs/promises"

/** A word that changes whenever the file does, or comes or goes: its place on the disk, size and time (ns). */
export async function fileStamp(file: string): Promise<string> {
  const facts = await lstat(file, { bigint: true }).catch(() => null)
  return facts === null ? "none" : `${facts.ino}-${facts.size}-${facts.mtimeNs}`
}
