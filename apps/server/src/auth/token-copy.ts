import { readFileSync, renameSync, writeFileSync } from "node:fs"
import path from "node:path"

/** Where programs of this machine find the token. */
export function tokenFileIn(data: string): string {
  return path.join(data, "token")
}

/** Writes the token for programs of this machine, wherever it is kept. */
export function copyToken(file: string, token: string): void {
  const text = `${token}\n`
  if (readOrNull(file) === text) return
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return null
  }
}
