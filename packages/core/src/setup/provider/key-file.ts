import { chmod, mkdir, open, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { DocketError } from "../../ground/error/docket-error.ts"
import { readBoundedFile, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import type { Drawer } from "../../ground/secret/drawer.ts"
import { nameOfKey, SavedKey } from "./saved-key.ts"

const SavedKeys = z.record(z.string(), SavedKey)
type SavedKeys = Map<string, SavedKey>

/** Most bytes of the file, enough for some thousand keys. */
const fileLimit = 1_048_576
const place = "auth.json"

/** The name for an entry of the file. Earlier versions stored one entry per provider, whatever its recipient. */
function nameOfEntry(name: string, key: SavedKey): string {
  return name.endsWith(nameOfKey("", key)) ? name : nameOfKey(name, key)
}

async function readKeys(file: string): Promise<SavedKeys> {
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
async function writeKeys(dataDirectory: string, file: string, keys: Map<string, unknown>): Promise<void> {
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

/** Keys of providers, in `<dataDirectory>/auth.json` (mode 0600). The file is read once. */
export function keyFile(dataDirectory: string): Drawer {
  const file = join(dataDirectory, place)
  let keys: Promise<Map<string, unknown>> | null = null
  const load = () => {
    keys ??= readKeys(file)
    keys.catch(() => {
      keys = null
    })
    return keys
  }
  return {
    place,
    get: async (name) => (await load()).get(name) ?? null,
    all: load,
    async set(name, value) {
      const changed = new Map(await load())
      if (value === null) changed.delete(name)
      else changed.set(name, value)
      await writeKeys(dataDirectory, file, changed)
      keys = Promise.resolve(changed)
    },
    async clear() {
      await rm(file, { force: true })
      keys = null
    },
  }
}
