import { createIdSource, DocketError } from "@docket/core"
import type { SecretRow, SecretSwap } from "@docket/core/store"
import { createSeal, readSecretKey, type Seal } from "@docket/core/vault"
import { formerKeys, openSeal } from "../../secrets/open-seal.ts"
import { firstID } from "../../workspaces/workspace-place.ts"
import type { Outcome } from "../operation.ts"
import { withSecrets } from "./with-secrets.ts"

export interface RotateSecrets {
  data: string
  database: string | null
  /** `DOCKET_SECRET_KEY` and `DOCKET_SECRET_KEY_NEW`. */
  keys: { now: string | undefined; next: string | undefined }
}

/**
 * Seals all secrets with a new key, in one transaction, and remembers which key it replaced.
 * @throws config_invalid for a wrong key; store_unavailable while nodes use the database
 */
export function rotateSecrets({ keys, ...place }: RotateSecrets): Promise<Outcome> {
  const [now, next] = [required(keys.now, "DOCKET_SECRET_KEY"), required(keys.next, "DOCKET_SECRET_KEY_NEW")]
  const [before, after] = [readSecretKey(now, "DOCKET_SECRET_KEY"), readSecretKey(next, "DOCKET_SECRET_KEY_NEW")]
  if (before.id === after.id)
    throw new DocketError("config_invalid", "DOCKET_SECRET_KEY_NEW is the key in use. Name another one.")
  return withSecrets(place, async ({ secrets, store }) => {
    const [from, to] = [await openSeal(secrets, now), createSeal(after.sealing)]
    const rows = (await secrets.list()).filter(({ kind, name }) => kind !== formerKeys.kind || name !== after.id)
    const former = { ...formerKeys, name: before.id }
    const known = await secrets.get({ ...formerKeys, name: after.id })
    const isDone = await secrets.swap([
      ...rows.map((row) => resealed(row, from, to)),
      { place: former, before: null, after: to.close(former, "replaced") },
      // A key that was in use before is in use again.
      ...(known === null ? [] : [{ place: known, before: known.sealed, after: null }]),
    ])
    if (!isDone) throw new DocketError("store_unavailable", "Something changed secrets meanwhile. Try again.")
    await store(firstID).audit.add([
      {
        id: createIdSource(Date.now)("audit"),
        ...{ at: Date.now(), act: "secrets.rotated", person: null, call: "docket secrets rotate", via: "cli" },
        ...{ credential: null, address: null, targets: {}, facts: { secrets: rows.length } },
      },
    ])
    return {
      words: `${rows.length} rows are sealed with the new key. Start all nodes with it as DOCKET_SECRET_KEY. Backups made before still need the old one.`,
      facts: { rows: rows.length },
    }
  })
}

function resealed(row: SecretRow, from: Seal, to: Seal): SecretSwap {
  return { place: row, before: row.sealed, after: to.close(row, from.open(row)) }
}

/** @throws config_invalid */
function required(key: string | undefined, variable: string): string {
  if (key !== undefined) return key
  throw new DocketError("config_invalid", `Set ${variable}: openssl rand -base64 32 makes a key.`)
}
