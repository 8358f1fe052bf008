import { argon2, randomBytes, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

/** Argon2id parameters from OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32

interface PasswordHash {
  cost: typeof cost
  salt: Buffer
  tag: Buffer
}

const derive = promisify(argon2)

/** Used for links without a password, so that a try takes the same time. No password matches it. */
const decoy: PasswordHash = { cost, salt: randomBytes(saltBytes), tag: randomBytes(tagBytes) }

/** The stored form of a password: a PHC string of Argon2id. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const tag = await tagOf(password, { cost, salt, tag: decoy.tag })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

/** Whether the password matches the hash. Takes the same time for a wrong password and for no hash (`null`). */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const known = hash === null ? null : parse(hash)
  const tag = await tagOf(password, known ?? decoy)
  return timingSafeEqual(tag, (known ?? decoy).tag) && known !== null
}

/** Normalised, because keyboards and systems encode the same letters differently. */
async function tagOf(password: string, { cost, salt, tag }: PasswordHash): Promise<Buffer> {
  return derive("argon2id", { ...cost, message: password.normalize("NFKC"), nonce: salt, tagLength: tag.length })
}

function parse(hash: string): PasswordHash | null {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash)
  if (found === null) return null
  const [, memory, passes, parallelism, salt = "", tag = ""] = found
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "")
}
