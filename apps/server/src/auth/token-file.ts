import { chmodSync, writeFileSync } from "node:fs"
import { DocketError, readBoundedFileSync, unreadableReason } from "@docket/core"
import { createSecret } from "./secret.ts"

/** Size limit of the file; a token has about 40 bytes. */
const fileLimit = 4_096

/**
 * Reads the service's token, or creates one at the first start. Only the owner can read the file.
 * @throws config_invalid when something other than a file is in its place
 */
export function readOrCreateToken(file: string): string {
  try {
    writeFileSync(file, `${createSecret()}\n`, { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    chmodSync(file, 0o600)
  }
  const token = readToken(file)
  // `createSecret` makes 43 characters. A shorter token was cut off while it was written.
  if (token.length >= 43) return token
  writeFileSync(file, `${createSecret()}\n`, { mode: 0o600 })
  return readToken(file)
}

function readToken(file: string): string {
  try {
    return readBoundedFileSync(file, fileLimit).toString("utf8").trim()
  } catch (error) {
    const message = `The token file ${file} ${unreadableReason(error)}. Remove it: a new one is made at the next start.`
    throw new DocketError("config_invalid", message, { cause: error })
  }
}
