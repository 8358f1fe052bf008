import { createHash, randomUUID } from "node:crypto"
import { mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { isOfStandIns } from "./stand-ins.ts"

interface PrivateDirectories {
  /** Mounted as the home directory; caches of package managers persist in it. */
  home: string
  /** Mounted as `/tmp`; emptied when the service starts. */
  temporary: string
  /** Files that were moved aside; hidden from all programs. */
  aside: string
  /** Records of removed files; hidden from all programs. */
  left: string
}

/** The private directories for the programs of one project. */
export function privateDirectories(root: string, project: string): PrivateDirectories {
  const own = path.join(root, createHash("sha256").update(project).digest("hex").slice(0, 20))
  const directories = { home: path.join(own, "home"), temporary: path.join(own, "tmp") }
  for (const directory of Object.values(directories)) mkdirSync(directory, { recursive: true, mode: 0o700 })
  return { ...directories, aside: path.join(own, "aside"), left: path.join(own, "left") }
}

/** Removes the temporary files of all projects and those left by a killed service. Call it before any program runs. */
export async function clearTemporary(root: string): Promise<void> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  const left = entries.flatMap((entry) => {
    if (isOfStandIns(entry.name) || isFilterFile(entry.name)) return [entry.name]
    return entry.isDirectory() ? [path.join(entry.name, "tmp")] : []
  })
  await Promise.all(left.map((name) => rm(path.join(root, name), { recursive: true, force: true })))
}

/** Opens a system call filter as a file that bubblewrap reads; the file itself is removed from the directory. */
export function openFilter(root: string, filter: Buffer): number {
  const file = path.join(root, `system-calls-${randomUUID()}.bpf`)
  mkdirSync(root, { recursive: true, mode: 0o700 })
  writeFileSync(file, filter, { mode: 0o600, flag: "wx" })
  try {
    return openSync(file, "r")
  } finally {
    unlinkSync(file)
  }
}

/** Whether a file in the sandbox directory is such a filter, left by a killed service. */
function isFilterFile(name: string): boolean {
  return /^system-calls-.+\.bpf$/.test(name)
}
