import { chmod, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { DocketError } from "../error/docket-error.ts"
import { readBoundedFile, unreadableReason } from "../file/read-bounded-file.ts"

/**
 * A saved key and who it was saved for: no other address and no other installed package gets it. Null means the
 * provider's own address, and a package that ships with Docket.
 */
const SavedKey = z.object({
  type: z.literal("api"),
  key: z.string().min(1),
  baseURL: z.string().nullable(),
  package: z.string().nullable().default(null),
})
export type SavedKey = z.infer<typeof SavedKey>
const SavedKeys = z.record(z.string(), SavedKey)

/** Most bytes of the file: some thousand keys. */
const fileLimit = 1_048_576

export interface KeyStore {
  /** @throws config_invalid when the file cannot be understood */
  get(providerID: string): Promise<SavedKey | null>
  save(providerID: string, key: SavedKey): Promise<void>
  remove(providerID: string): Promise<void>
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
    return new Map(Object.entries(SavedKeys.parse(JSON.parse(text))))
  } catch {
    // The cause is left out: it may quote a key.
    throw new DocketError(
      "config_invalid",
      `The saved keys in ${file} are damaged; remove the file and save them again.`,
    )
  }
}

/** Replaces the file in one step, readable by its owner only. */
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

/** Keys that the user saved in Settings, in `<dataDirectory>/auth.json` (mode 0600). They are read once. */
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
    get: async (providerID) => (await load()).get(providerID) ?? null,
    save: (providerID, key) => change((all) => all.set(providerID, key)),
    remove: (providerID) => change((all) => all.delete(providerID)),
  }
}
