import { lstat, unlink } from "node:fs/promises"
import { openChecked, writeAtomic } from "../../acts/tool/checked-file.ts"
import { permissionsOf } from "../../acts/tool/text-file.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { errorCode } from "../../ground/error/error-code.ts"
import { notWritten } from "../../ground/error/not-written.ts"
import { UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { textDigest } from "../../setup/config/digest.ts"

/** The most bytes of an agent file; a larger file would not be read. */
const sizeLimit = 131_072

/** The text of a file at its real path; null when there is none. @throws config_invalid when it cannot be read */
export async function readAgentText(real: string): Promise<string | null> {
  try {
    await using handle = await openChecked(real)
    const { size } = await handle.stat()
    if (size > sizeLimit) throw new UnfitFileError(`is larger than ${sizeLimit} bytes, the most that is read`)
    return (await handle.readFile()).toString("utf8").replace(/^\uFEFF/, "")
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null
    const isSystemError = errorCode(error) !== ""
    if (!isSystemError && !(error instanceof UnfitFileError)) {
      throw new DocketError("config_invalid", error instanceof Error ? error.message : String(error), { cause: error })
    }
    throw new DocketError("config_invalid", `${real} ${unreadableReason(error)}.`, { cause: error })
  }
}

/**
 * Creates a file or replaces it atomically.
 * @param expected the hash of the text to replace; null for a new file
 * @throws config_changed when the file has changed, file_not_written when it cannot be written: nothing is changed
 */
export async function writeAgentText(real: string, expected: string | null, text: string): Promise<void> {
  if (Buffer.byteLength(text) > sizeLimit) {
    throw new DocketError("invalid_input", `An agent's file may have ${sizeLimit} bytes; this text is longer.`)
  }
  const mode = await checkExpected(real, expected)
  await writing(real, () => writeAtomic(real, Buffer.from(text), { mode }))
}

/** Deletes a file. @throws as `writeAgentText` */
export async function removeAgentText(real: string, expected: string): Promise<void> {
  await checkExpected(real, expected)
  await writing(real, () => unlink(real))
}

/** The mode of the file; null when no file was expected and none exists. */
async function checkExpected(real: string, expected: string | null): Promise<number | null> {
  if (expected === null && (await lstat(real).catch(() => null)) === null) return null
  const text = await readAgentText(real)
  const found = text === null ? null : textDigest(text)
  if (found !== expected) {
    const what = found === null ? "is gone" : expected === null ? "is there already" : "has changed on disk"
    throw new DocketError("config_changed", `${real} ${what}. Nothing was written; look at it as it is now.`)
  }
  return found === null ? null : permissionsOf(await lstat(real, { bigint: true }))
}

/** Runs a write of a file; when it fails, throws file_not_written. */
async function writing(real: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    throw notWritten(real, cause)
  }
}
