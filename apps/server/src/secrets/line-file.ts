import { chmod, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { DocketError, readBoundedFile, unreadableReason } from "@docket/core"
import type { Drawer } from "@docket/core/vault"

/** Size limit of the file; a token has about 40 bytes. */
const fileLimit = 4_096
/** `createSecret` makes 43 characters. A shorter line was cut off while it was written. */
const shortest = 43

/** One secret that is a line of text, in a file of its own that only its owner reads. */
export function lineFile(dataDirectory: string, place: string): Drawer {
  const file = path.join(dataDirectory, place)
  const read = async () => {
    try {
      const line = (await readBoundedFile(file, fileLimit)).toString("utf8").trim()
      await chmod(file, 0o600)
      return line.length >= shortest ? line : null
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
      const message = `The token file ${file} ${unreadableReason(error)}. Remove it: a new one is made at the next start.`
      throw new DocketError("config_invalid", message, { cause: error })
    }
  }
  return {
    place,
    get: read,
    async all() {
      const line = await read()
      return new Map(line === null ? [] : [["", line]])
    },
    async set(_name, value) {
      if (typeof value !== "string") return rm(file, { force: true })
      await writeFile(`${file}.new`, `${value}\n`, { mode: 0o600, flush: true })
      await rename(`${file}.new`, file)
    },
    clear: () => rm(file, { force: true }),
  }
}
