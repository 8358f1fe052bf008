import { DocketError } from "@docket/core"
import type { SecretPlace, SecretStore } from "@docket/core/store"
import { createSeal, readSecretKey, type Seal } from "@docket/core/vault"

const variable = "DOCKET_SECRET_KEY"
/** A text that opens with the key in use alone. */
const checkPlace: SecretPlace = { tenantID: "", kind: "key", name: "" }
/** Keys that were replaced, by their ids. */
export const formerKeys = { tenantID: "", kind: "former-key" } as const

/** Whether a database has sealed secrets. */
export async function hasSealed(secrets: SecretStore): Promise<boolean> {
  return (await secrets.get(checkPlace)) !== null
}

/** Refuses to go on without the key of a database with sealed secrets. @throws config_invalid */
export async function requireUnsealed(secrets: SecretStore): Promise<void> {
  if (!(await hasSealed(secrets))) return
  throw new DocketError(
    "config_invalid",
    `The secrets in this database are sealed, and ${variable} is not set. Set it to the key that was used with this database.`,
  )
}

/**
 * The seal of a database. The first key that comes is the one of the database from then on.
 * @throws config_invalid for a key that is malformed, was replaced or is another one
 */
export async function openSeal(secrets: SecretStore, text: string): Promise<Seal> {
  const key = readSecretKey(text, variable)
  const seal = createSeal(key.sealing)
  const first = { place: checkPlace, before: null, after: seal.close(checkPlace, key.id) }
  if (await secrets.swap([first])) return seal
  const row = await secrets.get(checkPlace)
  // They were removed a moment ago.
  if (row === null) return openSeal(secrets, text)
  try {
    seal.open(row)
    return seal
  } catch {
    const former = await secrets.get({ ...formerKeys, name: key.id })
    throw new DocketError(
      "config_invalid",
      former === null
        ? `${variable} is not the key with which the secrets in this database are sealed. Set it to that key. If it is lost, docket secrets remove --all removes them, and they are saved anew.`
        : `${variable} is a key that docket secrets rotate replaced on ${new Date(former.updated).toISOString().slice(0, 10)}. Set it to the new key.`,
    )
  }
}
