import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { readBoundedFile } from "../../ground/file/read-bounded-file.ts"
import type { KnownValue } from "../../ground/redact/index.ts"
import { envValues, isEnvFile, secretsInEnvironment } from "../../ground/redact/index.ts"

/** Limits of the search for `.env` files: bytes of a file, files, depth below the directory, and directories. */
const limits = { bytes: 65_536, files: 50, depth: 3, directories: 300 }

interface ShareSecretsDeps {
  env: Record<string, string | undefined>
  /** The saved and configured keys of providers, with their providers. */
  providerKeys(): Promise<readonly { providerID: string; key: string }[]>
}

/** The secrets known to this server that a session in these directories may contain. */
export async function shareSecrets(deps: ShareSecretsDeps, directories: readonly string[]): Promise<KnownValue[]> {
  const all = Promise.all([...new Set(directories)].map(envFiles))
  const [keys, files] = await Promise.all([deps.providerKeys(), all])
  return [
    ...keys.map(({ providerID, key }) => ({ value: key, label: `key of ${providerID}` })),
    ...secretsInEnvironment(deps.env),
    ...files.flat().flatMap(envValues),
  ]
}

/** Directories without `.env` files written by users, or with too many other files. */
const passedOver = new Set([
  "node_modules",
  "vendor",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "__pycache__",
  "venv",
])

/** The contents of `.env` files in a directory and some levels below it. Unreadable ones are left out. */
async function envFiles(directory: string): Promise<string[]> {
  const paths: string[] = []
  let level = [directory]
  let looked = 0
  for (let depth = 0; depth <= limits.depth && level.length > 0; depth++) {
    const here = level.slice(0, limits.directories - looked)
    looked += here.length
    const entries = await Promise.all(here.map((at) => readdir(at, { withFileTypes: true }).catch(() => [])))
    const found = entries.flat().sort((left, right) => (left.name < right.name ? -1 : 1))
    for (const entry of found) if (!entry.isDirectory() && isEnvFile(entry.name)) paths.push(pathOf(entry))
    level = found.flatMap((entry) =>
      entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name) ? [pathOf(entry)] : [],
    )
  }
  const read = (path: string) => readBoundedFile(path, limits.bytes).catch(() => null)
  const contents = await Promise.all(paths.slice(0, limits.files).map(read))
  return contents.flatMap((bytes) => (bytes === null ? [] : [bytes.toString("utf8")]))
}

function pathOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name)
}
