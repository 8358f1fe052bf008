import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { DocketError } from "../error/docket-error.ts"
import type { SecretPlace, SecretRow } from "../store/index.ts"

/** Bytes. */
const sizes = { iv: 12, tag: 16 } as const
/** Names the way in which a text is sealed. */
const prefix = "1:"

/** Encrypts values of JSON for their place in the database: in another place they do not open. */
export interface Seal {
  close(place: SecretPlace, value: unknown): string
  /** @throws config_invalid for what was sealed for another place or with another key, or was changed since */
  open(row: Omit<SecretRow, "updated">): unknown
}

/** AES-256-GCM, with a nonce of its own for each text, so that no two are equal. */
export function createSeal(key: Buffer): Seal {
  return {
    close(place, value) {
      const iv = randomBytes(sizes.iv)
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(boundTo(place))
      const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()])
      return prefix + Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64")
    },
    open(row) {
      try {
        return opened(row, key)
      } catch {
        // The cause is left out, because it may quote the secret.
        const message = `The secret ${labelOf(row)} does not open with DOCKET_SECRET_KEY: its row was changed. Remove it with docket secrets remove, and save it again.`
        throw new DocketError("config_invalid", message)
      }
    },
  }
}

function opened(row: Omit<SecretRow, "updated">, key: Buffer): unknown {
  if (!row.sealed.startsWith(prefix)) throw new Error("sealed in another way")
  const bytes = Buffer.from(row.sealed.slice(prefix.length), "base64")
  const [iv, tag] = [bytes.subarray(0, sizes.iv), bytes.subarray(sizes.iv, sizes.iv + sizes.tag)]
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: sizes.tag })
  decipher.setAAD(boundTo(row)).setAuthTag(tag)
  const text = Buffer.concat([decipher.update(bytes.subarray(sizes.iv + sizes.tag)), decipher.final()])
  return JSON.parse(text.toString("utf8"))
}

function boundTo({ tenantID, kind, name }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([tenantID, kind, name]))
}

/** A secret in words for people. */
export function labelOf({ tenantID, kind, name }: SecretPlace): string {
  const what = name === "" ? kind : `${kind} ${JSON.stringify(name)}`
  return tenantID === "" ? what : `${what} of the workspace ${tenantID}`
}
