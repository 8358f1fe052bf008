import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readBoundedFile } from "../../../ground/file/read-bounded-file.ts"
import { InstalledPackage } from "../../../ground/schema/index.ts"

/** Beside the package's package.json, lock file and node_modules: what the user agreed to. */
const file = "agreed.json"
const sizeLimit = 100_000

/** What is installed in a directory; null when nothing is, or not wholly. */
export async function readInstalled(directory: string): Promise<InstalledPackage | null> {
  try {
    const text = (await readBoundedFile(join(directory, file), sizeLimit)).toString("utf8")
    return InstalledPackage.parse(JSON.parse(text))
  } catch {
    return null
  }
}

export async function writeInstalled(directory: string, installed: InstalledPackage): Promise<void> {
  await writeFile(join(directory, file), `${JSON.stringify(installed, null, 2)}\n`, { mode: 0o600 })
}

/** Makes a directory that only its owner enters. */
export async function makePrivate(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
}
