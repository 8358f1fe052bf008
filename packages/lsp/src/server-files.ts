import { fileURLToPath } from "node:url"
import { readBoundedFile } from "@docket/core"

/** Bytes of a file; larger ones are not checked. */
const maxText = 2 * 1024 * 1024

/** The path of a file's address; empty when it names none. */
export function filePath(uri: string): string {
  try {
    return fileURLToPath(uri)
  } catch {
    return ""
  }
}

/** The text of a regular file; null when it is missing, none, or too large. */
export function textOf(file: string): Promise<string | null> {
  return readBoundedFile(file, maxText).then(String, () => null)
}
