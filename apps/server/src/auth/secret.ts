import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

/** 256 random bits as 43 characters that are safe in URLs, headers and cookies. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url")
}

export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}

/** Compares in constant time, so that the duration does not reveal where two texts differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash("sha256").update(a).digest(), createHash("sha256").update(b).digest())
}
