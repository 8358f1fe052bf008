import { chmodSync, mkdirSync, statSync } from "node:fs"
import path from "node:path"
import { DocketError } from "@docket/core"

/**
 * Creates the data directory when it is missing. Only its owner can enter, because it holds the token and provider
 * keys.
 */
export function prepareDataDirectory(directory: string): void {
  try {
    makeDirectory(directory)
    chmodSync(directory, 0o700)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DocketError("store_unavailable", `cannot use ${directory} as data directory: ${reason}`, { cause })
  }
}

/** Creates one level at a time: Node's recursive mkdir never returns where nothing can be created, such as in /proc. */
function makeDirectory(directory: string, parentIsThere = false): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null
    if (code === "EEXIST" && statSync(directory).isDirectory()) return
    if (code !== "ENOENT" || parentIsThere) throw error
    makeDirectory(path.dirname(directory))
    makeDirectory(directory, true)
  }
}
