import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { readBoundedFile } from "../file/read-bounded-file.ts"
import type { KnownValue } from "../redact/index.ts"
import { envValues, isEnvFile, secretsInEnvironment } from "../redact/index.ts"

/** Most bytes of a `.env` file, and most files of a directory, that are read. */
const maxBytes = 65_536
const maxFiles = 20

export interface ShareSecretsDeps {
  env: Record<string, string | undefined>
  /** The keys of providers that are saved or configured, with their providers. */
  providerKeys(): Promise<readonly { providerID: string; key: string }[]>
}

/** The secrets that this server knows and a session of this directory may tell of. */
export async function shareSecrets(deps: ShareSecretsDeps, directory: string): Promise<KnownValue[]> {
  const [keys, files] = await Promise.all([deps.providerKeys(), envFiles(directory)])
  return [
    ...keys.map(({ providerID, key }) => ({ value: key, label: `key of ${providerID}` })),
    ...secretsInEnvironment(deps.env),
    ...files.flatMap(envValues),
  ]
}

/** What the `.env` files of a directory hold. What cannot be read is left out. */
async function envFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  const files = names.filter(isEnvFile).slice(0, maxFiles)
  const read = (name: string) => readBoundedFile(join(directory, name), maxBytes).catch(() => null)
  return (await Promise.all(files.map(read))).flatMap((bytes) => (bytes === null ? [] : [bytes.toString("utf8")]))
}
