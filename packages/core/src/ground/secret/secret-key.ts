import { hkdfSync } from "node:crypto"
import { DocketError } from "../error/docket-error.ts"

/** Bytes of a key. */
const size = 32

/** What is derived from `DOCKET_SECRET_KEY`. */
export interface SecretKey {
  /** Names the key. It tells nothing of it. */
  id: string
  /** What secrets are encrypted with. */
  sealing: Buffer
}

/**
 * Reads the value of a variable that holds a key.
 * @throws config_invalid, without the value
 */
export function readSecretKey(text: string, variable: string): SecretKey {
  const given = text.trim()
  const bytes = Buffer.from(given, "base64")
  // Node skips what is no base64, so that a text with an error in it would be another key.
  if (bytes.length !== size || bytes.toString("base64") !== given)
    throw new DocketError(
      "config_invalid",
      `${variable} has to be ${size} bytes in base64: openssl rand -base64 ${size}`,
    )
  const derived = (use: string, length: number) => Buffer.from(hkdfSync("sha256", bytes, "", `docket ${use}`, length))
  return { id: derived("name of key", 6).toString("hex"), sealing: derived("secrets", size) }
}
