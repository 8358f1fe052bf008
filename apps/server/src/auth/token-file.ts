import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { createSecret } from "./secret.ts"

/** Reads the service's token, or makes one on the first start. The file is readable by its owner only. */
export function readOrCreateToken(file: string): string {
  try {
    writeFileSync(file, `${createSecret()}\n`, { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    chmodSync(file, 0o600)
  }
  const token = readFileSync(file, "utf8").trim()
  if (token.length >= 43) return token
  writeFileSync(file, `${createSecret()}\n`, { mode: 0o600 })
  return readFileSync(file, "utf8").trim()
}
