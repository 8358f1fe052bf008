import { readBoundedFile, UnfitFileError } from "@docket/core/file"
import { UsageError } from "../usage-error.ts"

/** Most bytes of a token file. */
const maxBytes = 4_096

/** The token in a token file. @throws UsageError when it cannot be read */
export async function readToken(file: string): Promise<string> {
  try {
    return (await readBoundedFile(file, maxBytes)).toString("utf8").trim()
  } catch (error) {
    if (error instanceof UnfitFileError) throw new UsageError(`the token file ${file} ${error.message}`)
    const reason = error instanceof Error && "code" in error ? error.code : error
    throw new UsageError(`the token file ${file} cannot be read (${reason})`)
  }
}
