import { createHash } from "node:crypto"
import { mkdirSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import path from "node:path"
import { isFilterFile } from "./filter-file.ts"
import { isOfStandIns } from "./stand-ins.ts"

export interface PrivateDirectories {
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
