import { rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { DocketError, readBoundedFile } from "@docket/core"
import type { Drawer } from "@docket/core/vault"
import { z } from "zod"

const fileLimit = 65_536
const place = "team.json"

/** `<data>/team.json`, which `docket team init` creates. Only its owner may read it, because it contains secrets. */
export function teamFile(dataDirectory: string): Drawer {
  const file = path.join(dataDirectory, place)
  const read = async () => {
    try {
      return z
        .record(z.string(), z.unknown())
        .parse(JSON.parse((await readBoundedFile(file, fileLimit)).toString("utf8")))
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
      const message = `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`
      throw new DocketError("config_invalid", message)
    }
  }
  return {
    place,
    get: read,
    async all() {
      const settings = await read()
      return new Map(settings === null ? [] : [["", settings]])
    },
    async set(_name, value) {
      if (value === null) return rm(file, { force: true })
      await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
      await rename(`${file}.new`, file)
    },
    clear: () => rm(file, { force: true }),
  }
}
