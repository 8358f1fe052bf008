import { readFile } from "node:fs/promises"
import { UsageError } from "../usage-error.ts"

/** The token in a token file. @throws UsageError when it cannot be read */
export async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim()
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error
    throw new UsageError(`the token file ${file} cannot be read (${reason})`)
  }
}
