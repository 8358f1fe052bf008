import { DocketError } from "@docket/core"
import { labelOf } from "@docket/core/vault"
import type { Outcome } from "../operation.ts"
import { withSecrets } from "./with-secrets.ts"

export interface RemoveSecrets {
  data: string
  database: string | null
  /** Null for all secrets, and the key with which they are sealed. */
  which: { kind: string; name: string; workspace: string | null } | null
}

/** Removes secrets that do not open any more; no key is needed. @throws invalid_input, store_unavailable */
export function removeSecrets({ which, ...place }: RemoveSecrets): Promise<Outcome> {
  return withSecrets(place, async ({ secrets }) => {
    const all = await secrets.list()
    const isMeant = ({ tenantID, kind, name }: (typeof all)[number]) =>
      which === null || (kind === which.kind && name === which.name && tenantID === (which.workspace ?? ""))
    const meant = all.filter(isMeant)
    if (meant.length === 0 && which !== null) {
      const what = labelOf({ ...which, tenantID: which.workspace ?? "" })
      throw new DocketError("invalid_input", `There is no secret ${what}. docket secrets lists them.`)
    }
    const isDone = await secrets.swap(meant.map((row) => ({ place: row, before: row.sealed, after: null })))
    if (!isDone) throw new DocketError("store_unavailable", "Something changed secrets meanwhile. Try again.")
    const words =
      which === null
        ? `All ${meant.length} sealed rows are removed. The next key that a node starts with becomes the key of the database.`
        : `${meant.map(labelOf).join(", ")} is removed.`
    return { words, facts: { removed: meant.length } }
  })
}
