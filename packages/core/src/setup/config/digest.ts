import { createHash } from "node:crypto"

/** Digest of a file's text (SHA-256, hex). */
export function textDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/** Digest of a JSON value (SHA-256, hex). */
export function digestOf(value: unknown): string {
  return textDigest(JSON.stringify(value))
}
