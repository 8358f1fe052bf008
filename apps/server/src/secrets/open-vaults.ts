import type { TenantDatabase } from "@docket/core/store"
import { nodeTimers } from "@docket/core/timers"
import { type DatabaseKind, recordedSecrets } from "../database-record.ts"
import { moveSecrets } from "./move-secrets.ts"
import { hasSealed, openSeal, requireUnsealed } from "./open-seal.ts"
import { fileVaults, rowVaults, type Vaults } from "./vaults.ts"

export interface OpenVaults {
  data: string
  kind: DatabaseKind
  database: Pick<TenantDatabase, "secrets">
  /** `DOCKET_SECRET_KEY`. */
  key: string | undefined
  report(words: string): void
}

/**
 * Where the secrets of a service are: encrypted in the database where several processes may share it and there is a key,
 * and where a backup brought them; else in files of the data directory. At the first start with a key, those in files are moved.
 * @throws config_invalid for a key that is missing, malformed or another one, and when files and rows differ
 */
export async function openVaults({ data, kind, database: { secrets }, key, report }: OpenVaults): Promise<Vaults> {
  if (key === undefined) {
    await requireUnsealed(secrets)
    return fileVaults(data)
  }
  if (kind === "sqlite" && !(await hasSealed(secrets))) return fileVaults(data)
  const seal = await openSeal(secrets, key)
  const hasTokenCopy = recordedSecrets(data) === "rows"
  await moveSecrets({ data, secrets, seal, wins: null, hasTokenCopy, report })
  return rowVaults({ secrets, seal, timers: nodeTimers, now: () => performance.now() })
}
