import { DocketError } from "@docket/core"
import { databaseKind, recordDatabase, recordedSecrets } from "../../database-record.ts"
import { moveSecrets } from "../../secrets/move-secrets.ts"
import { openSeal } from "../../secrets/open-seal.ts"
import type { Outcome, Report } from "../operation.ts"
import { withSecrets } from "./with-secrets.ts"

export interface ImportSecrets {
  data: string
  database: string | null
  key: string | undefined
  /** What counts where files and rows differ. */
  wins: "files" | "rows"
}

/** Moves the secrets in files of a data directory to the database. @throws config_invalid, store_unavailable */
export function importSecrets({ key, wins, ...place }: ImportSecrets, report: Report): Promise<Outcome> {
  const { data, database } = place
  if (key === undefined)
    throw new DocketError("config_invalid", "Set DOCKET_SECRET_KEY to the key that is used with this database.")
  return withSecrets(place, async ({ secrets }) => {
    const seal = await openSeal(secrets, key)
    const hasTokenCopy = recordedSecrets(data) === "rows"
    const count = await moveSecrets({ data, secrets, seal, wins, hasTokenCopy, report })
    recordDatabase(data, databaseKind(database), "rows")
    return { words: `${count} secrets came to the database.`, facts: { secrets: count } }
  })
}
