import { createHash, randomUUID } from "node:crypto"
import { mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { isOfStandIns } from "./stand-ins.ts"

interface PrivateDirectories {
  /** Stands in the place of the home: caches of package managers last in it. */
  home: string
  /** Stands in the place of `/tmp`; emptied when the service starts. */
  temporary: string
  /** What was moved aside; no program sees it. */
  aside: string
  /** What is known of all that was left and not kept; no program sees it. */
  left: string
}

/** What programs of one project have for themselves. */
export function privateDirectories(root: string, project: string): PrivateDirectories {
  const own = path.join(root, createHash("sha256").update(project).digest("hex").slice(0, 20))
  const directories = { home: path.join(own, "home"), temporary: path.join(own, "tmp") }
  for (const directory of Object.values(directories)) mkdirSync(directory, { recursive: true, mode: 0o700 })
  return { ...directories, aside: path.join(own, "aside"), left: path.join(own, "left") }
}

/** Removes the temporary files of all projects, and what a service that was killed left; before any program runs. */
export async function clearTemporary(root: string): Promise<void> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => [])
  const left = entries.flatMap((entry) => {
    if (isOfStandIns(entry.name) || isFilterFile(entry.name)) return [entry.name]
    return entry.isDirectory() ? [path.join(entry.name, "tmp")] : []
  })
  await Promise.all(left.map((name) => rm(path.join(root, name), { recursive: true, force: true })))
}

/** A filter of system calls as an open file, from which bubblewrap reads it; nothing of it stays in the directory. */
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

/** Whether a file in the sandbox's own directory is such a filter, which a service left that was killed. */
function isFilterFile(name: string): boolean {
  return /^system-calls-.+\.bpf$/.test(name)
}
