import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { UsageError } from "../usage-error.ts"

/**
 * Reads a token from a file, or from standard input for `-`. It is never an argument, because other users of the machine
 * can list those. @throws UsageError when the file cannot be read or is empty
 */
export async function readToken(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  const given = file === "-" ? await text(stdin) : await readFile(file, "utf8").catch(refused)
  const token = given.trim()
  if (token === "")
    throw new UsageError("the token is empty: write it to standard input, or name a file with --secret-file")
  return token
}

function refused(error: unknown): never {
  throw new UsageError(`the file of --secret-file cannot be read: ${error instanceof Error ? error.message : error}`)
}
