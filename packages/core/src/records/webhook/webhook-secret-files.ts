import { chmod, mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { readBoundedFile } from "../../ground/file/read-bounded-file.ts"
import type { Drawer } from "../../ground/secret/drawer.ts"

/** Most bytes of a file that are read. */
const fileLimit = 8_192
const ending = ".json"
const place = "webhook-secrets"

/** One file per webhook, readable by its owner only and replaced atomically. */
export function webhookSecretFiles(dataDirectory: string): Drawer {
  const directory = join(dataDirectory, place)
  const fileOf = (id: string) => join(directory, `${id}${ending}`)
  // What is no JSON is lost, as after a restore without keys.
  const get = (id: string) =>
    readBoundedFile(fileOf(id), fileLimit).then(
      (bytes) => parsed(bytes.toString("utf8")),
      () => null,
    )
  return {
    place,
    get,
    async all() {
      const files = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(ending))
      const ids = files.map((name) => name.slice(0, -ending.length))
      const found = await Promise.all(ids.map(async (id) => [id, await get(id)] as const))
      return new Map(found.filter(([, value]) => value !== null))
    },
    async set(id, value) {
      if (value === null) return rm(fileOf(id), { force: true })
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const temporary = `${fileOf(id)}.${process.pid}.tmp`
      try {
        await using handle = await open(temporary, "w", 0o600)
        await handle.writeFile(`${JSON.stringify(value)}\n`)
        await handle.sync()
        await chmod(temporary, 0o600)
        await rename(temporary, fileOf(id))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    clear: () => rm(directory, { recursive: true, force: true }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
