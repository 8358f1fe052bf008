import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import type { FilesOfKind } from "./file-secrets.ts"

/** Directories beside the data that hold what was there before. Backups leave them out. */
const prefix = "before-rows-"
const unfinished = ".new"

/** Copies the files that hold secrets to a directory beside them, and names it. Only their owner reads them. */
export async function keepSecretFiles(data: string, files: readonly FilesOfKind[]): Promise<string> {
  for (const name of await readdir(data))
    if (name.startsWith(prefix) && name.endsWith(unfinished)) await rm(path.join(data, name), { recursive: true })
  const kept = path.join(data, `${prefix}${new Date().toISOString().replaceAll(/[:.]/g, "-")}`)
  const partial = `${kept}${unfinished}`
  await mkdir(partial, { mode: 0o700 })
  for (const { place } of files) await copy(path.join(data, place), path.join(partial, place))
  await rename(partial, kept)
  return kept
}

async function copy(from: string, to: string): Promise<void> {
  const found = await stat(from).catch(() => null)
  if (found === null) return
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
  if (found.isFile()) return writeFile(to, await readFile(from), { mode: 0o600, flush: true })
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of await readdir(from)) await copy(path.join(from, name), path.join(to, name))
}
