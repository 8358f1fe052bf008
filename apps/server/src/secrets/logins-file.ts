import { rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { readBoundedFile } from "@docket/core"
import type { Drawer } from "@docket/core/vault"
import { z } from "zod"

const Logins = z.array(z.looseObject({ hash: z.string() }))

/** Size limit of the file: enough for about ten thousand browsers. */
const fileLimit = 2_097_152
const place = "logins.json"

/** Signed-in browsers by the hash of their cookie. If the file is unreadable, browsers have to sign in again. */
export function loginsFile(dataDirectory: string): Drawer {
  const file = path.join(dataDirectory, place)
  let logins: Promise<Map<string, unknown>> | null = null
  const load = () => {
    logins ??= readLogins(file)
    return logins
  }
  return {
    place,
    get: async (hash) => (await load()).get(hash) ?? null,
    all: load,
    async set(hash, value) {
      const changed = new Map(await load())
      if (value === null) changed.delete(hash)
      else changed.set(hash, value)
      const rows = [...changed].map(([key, login]) => ({ hash: key, ...(login as object) }))
      await writeFile(`${file}.new`, JSON.stringify(rows), { mode: 0o600 })
      await rename(`${file}.new`, file)
      logins = Promise.resolve(changed)
    },
    async clear() {
      await rm(file, { force: true })
      logins = null
    },
  }
}

async function readLogins(file: string): Promise<Map<string, unknown>> {
  try {
    const read = Logins.parse(JSON.parse((await readBoundedFile(file, fileLimit)).toString("utf8")))
    return new Map(read.map(({ hash, ...login }) => [hash, login]))
  } catch {
    return new Map()
  }
}
