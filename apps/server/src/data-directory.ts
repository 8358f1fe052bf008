import { chmodSync, mkdirSync } from "node:fs"
import { DocketError } from "@docket/core"

/** Makes the data directory when it is missing. Only its owner can enter: it holds the token and provider keys. */
export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DocketError("store_unavailable", `cannot use ${directory} as data directory: ${reason}`, { cause })
  }
}
