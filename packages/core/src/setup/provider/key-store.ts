import { chmod, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { readBoundedFile, unreadableReason } from "../../ground/file/read-bounded-file.ts"

/**
 * A saved key with its recipient; no other address or installed package gets it. Null means the provider's own address,
 * and a package that ships with Docket.
 */
const SavedKey = z.object({
  type: z.literal("api"),
  key: z.string().min(1),
  baseURL: z.string().nullable(),
  package: z.string().nullable().default(null),
})
type SavedKey = z.infer<typeof SavedKey>
const SavedKeys = z.record(z.string(), SavedKey)

/** The recipient of a key: null for the provider's own address, and for a package that ships with Docket. */
export type KeyTarget = Pick<SavedKey, "baseURL" | "package">

/** The name of a key in the file: a provider has one for each address and package. */
function nameOf(providerID: string, { baseURL, package: installed }: KeyTarget): string {
  return baseURL === null && installed === null ? providerID : `${providerID} ${baseURL ?? ""} ${installed ?? ""}`
}

/** The name for an entry of the file. Earlier versions stored one entry per provider, whatever its recipient. */
function nameOfEntry(name: string, key: SavedKey): string {
  return name.endsWith(nameOf("", key)) ? name : nameOf(name, key)
}

/** Most bytes of the file, enough for some thousand keys. */
const fileLimit = 1_048_576

export interface KeyStore {
  /**
   * The provider's key for the recipient, or else one of its others. @throws config_invalid when the file cannot be
   * read
   */
  get(providerID: string, target: KeyTarget): Promise<SavedKey | null>
  /** All keys. @throws as `get` */
  all(): Promise<{ providerID: string; key: string }[]>
  /** Replaces the provider's key for the same recipient. */
  save(providerID: string, key: SavedKey): Promise<void>
  remove(providerID: string, target: KeyTarget): Promise<void>
}

async function readKeys(file: string): Promise<Map<string, SavedKey>> {
  let text: string
  try {
    text = (await readBoundedFile(file, fileLimit)).toString("utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map()
    throw new DocketError("config_invalid", `The file of saved keys ${file} ${unreadableReason(error)}.`)
  }
  try {
    const entries = Object.entries(SavedKeys.parse(JSON.parse(text)))
    return new Map(entries.map(([name, key]) => [nameOfEntry(name, key), key]))
  } catch {
    // The cause is left out, because it may quote a key.
    throw new DocketError(
      "config_invalid",
      `The saved keys in ${file} are damaged; remove the file and save them again.`,
    )
  }
}

/** Replaces the file atomically, readable by its owner only. */
async function writeKeys(dataDirectory: string, file: string, keys: Map<string, SavedKey>): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await using handle = await open(temporary, "w", 0o600)
    await handle.writeFile(`${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`)
    await handle.sync()
    await chmod(temporary, 0o600)
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Keys that the user saved in Settings, in `<dataDirectory>/auth.json` (mode 0600). The file is read once. */
export function createKeyStore({ dataDirectory }: { dataDirectory: string }): KeyStore {
  const file = join(dataDirectory, "auth.json")
  let keys: Promise<Map<string, SavedKey>> | null = null
  let writing: Promise<unknown> = Promise.resolve()

  const load = () => {
    keys ??= readKeys(file)
    keys.catch(() => {
      keys = null
    })
    return keys
  }
  const change = (edit: (keys: Map<string, SavedKey>) => void): Promise<void> => {
    const next = writing.then(async () => {
      const changed = new Map(await load())
      edit(changed)
      await writeKeys(dataDirectory, file, changed)
      keys = Promise.resolve(changed)
    })
    writing = next.catch(() => {})
    return next
  }
  return {
    async get(providerID, target) {
      const all = await load()
      const own = all.get(nameOf(providerID, target))
      if (own !== undefined) return own
      return [...all].find(([name, key]) => name === nameOf(providerID, key))?.[1] ?? null
    },
    // A name starts with the provider's id.
    all: async () => [...(await load())].map(([name, { key }]) => ({ providerID: name.split(" ")[0] ?? name, key })),
    save: (providerID, key) => change((all) => all.set(nameOf(providerID, key), key)),
    remove: (providerID, target) => change((all) => all.delete(nameOf(providerID, target))),
  }
}
