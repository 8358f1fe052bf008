import { readFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { UsageError } from "../usage-error.ts"

export interface PasswordSources {
  /** A file that holds the password; `-` for standard input. */
  file: string | undefined
  stdin: NodeJS.ReadableStream
  /** The value of `DOCKET_SHARE_PASSWORD`. */
  variable: string | undefined
}

/**
 * Reads the password for a link from a file, stdin or the environment. It is never an argument, because other users of
 * the machine can list those. Undefined when none was given. @throws UsageError when the file cannot be read or is
 * empty
 */
export async function readPassword({ file, stdin, variable }: PasswordSources): Promise<string | undefined> {
  if (file === undefined) return variable || undefined
  const given = file === "-" ? await text(stdin) : await readFile(file, "utf8").catch(refused)
  const password = given.replace(/\r?\n$/, "")
  if (password === "") throw new UsageError("the password is empty: write it into the file of --password-file")
  return password
}

function refused(error: unknown): never {
  throw new UsageError(`the file of --password-file cannot be read: ${error instanceof Error ? error.message : error}`)
}
