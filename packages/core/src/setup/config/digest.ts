import { createHash } from "node:crypto"

/** Stands for the text of one file (SHA-256, hex). */
export function textDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/** Stands for a value that JSON can hold (SHA-256, hex). */
export function digestOf(value: unknown): string {
  return textDigest(JSON.stringify(value))
}
