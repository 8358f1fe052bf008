import { existsSync } from "node:fs"
import path from "node:path"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"
import type { Mount } from "./mount.ts"

const maxBytes = 64 * 1024
/** A password in an address, or a header that signs in. */
const secret = /:\/\/[^/\s@]+@|extraheader|oauth|token|passw/i

/** The user's own settings of git, by which commits get their author; a file that may hold a secret stays hidden. */
export function gitSettings(home: string): Mount[] {
  const files = [".gitconfig", ".config/git/config", ".config/git/ignore"].map((name) => path.join(home, name))
  return files.filter((file) => existsSync(file) && isPlain(file)).map((file) => ({ kind: "read", path: file }))
}

function isPlain(file: string): boolean {
  try {
    return !secret.test(readBoundedFileSync(file, maxBytes).toString())
  } catch {
    return false
  }
}
