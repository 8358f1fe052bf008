import { readBoundedFile, UnfitFileError } from "@docket/core/file"
import { UsageError } from "../usage-error.ts"

/** Size limit of a token file. */
const maxBytes = 4_096

/** Reads the token from a token file. @throws UsageError when the file cannot be read */
export async function readToken(file: string): Promise<string> {
  try {
    return (await readBoundedFile(file, maxBytes)).toString("utf8").trim()
  } catch (error) {
    if (error instanceof UnfitFileError) throw new UsageError(`the token file ${file} ${error.message}`)
    const reason = error instanceof Error && "code" in error ? error.code : error
    throw new UsageError(`the token file ${file} cannot be read (${reason})`)
  }
}
