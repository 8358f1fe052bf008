import { isDeepStrictEqual } from "node:util"
import { DocketError } from "@docket/core"
import type { SecretPlace, SecretStore, SecretSwap } from "@docket/core/store"
import { labelOf, type Seal } from "@docket/core/vault"
import { type FileSecret, readSecretFiles, secretFiles } from "./file-secrets.ts"
import { keepSecretFiles } from "./keep-secret-files.ts"

export interface MoveSecrets {
  /** The data directory. */
  data: string
  secrets: SecretStore
  seal: Seal
  /** What counts where files and rows differ; null refuses to choose. */
  wins: "files" | "rows" | null
  /** The token in the data directory is a copy of the one in the rows. */
  hasTokenCopy: boolean
  report(words: string): void
}

/**
 * Moves the secrets in the files of a data directory to the rows of the database. The files are copied first, then all
 * rows are written at once, then the files are removed: whenever it is broken off, the next time ends it.
 * @returns how many secrets are new in the rows
 * @throws config_invalid when a file and a row differ, and nothing says what counts
 */
export async function moveSecrets(job: MoveSecrets): Promise<number> {
  const { data, secrets, seal } = job
  const files = secretFiles(data).filter(({ kind }) => !(kind === "token" && job.hasTokenCopy))
  const found = await readSecretFiles(files)
  if (found.length === 0) return 0
  const isRowToo = async (one: FileSecret) => {
    const row = await secrets.get(one)
    return row !== null && isDeepStrictEqual(seal.open(row), one.value)
  }
  const [only] = found
  // The copy of the token, as a start that was broken off left it.
  if (found.length === 1 && only?.kind === "token" && (await isRowToo(only))) return 0
  const kept = await keepSecretFiles(data, files)
  job.report(`secrets: the files that held them are kept in ${kept}`)
  let count: number | null = null
  while (count === null) {
    const swaps = await swapsFor(found, job)
    if (await secrets.swap(swaps)) count = swaps.length
  }
  for (const { drawer } of files) await drawer.clear()
  job.report(`secrets: ${count} of ${found.length} in files were new to the database, which has all of them now`)
  return count
}

/** What is to be written of what the files hold. @throws config_invalid */
async function swapsFor(
  found: readonly FileSecret[],
  { data, secrets, seal, wins }: MoveSecrets,
): Promise<SecretSwap[]> {
  const swaps: SecretSwap[] = []
  const differing: SecretPlace[] = []
  for (const { value, ...place } of found) {
    const row = await secrets.get(place)
    const swap = { place, before: row?.sealed ?? null, after: seal.close(place, value) }
    const isSame = row !== null && isDeepStrictEqual(seal.open(row), value)
    if (isSame) continue
    if (row === null || wins === "files") swaps.push(swap)
    else if (wins === null) differing.push(place)
  }
  if (differing.length === 0) return swaps
  const names = differing.map(labelOf).sort().join(", ")
  const message = `The files of ${data} and the database have different secrets: ${names}. Choose which count, with all nodes stopped: docket secrets import --replace takes those of the files, docket secrets import --keep those of the database.`
  throw new DocketError("config_invalid", message)
}
