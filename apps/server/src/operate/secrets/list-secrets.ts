import path from "node:path"
import { secretKinds } from "@docket/core/vault"
import { loadCopies } from "@docket/db"
import { z } from "zod"
import { readSecretFiles, secretFiles } from "../../secrets/file-secrets.ts"
import { readTables } from "../back-up.ts"
import type { Outcome } from "../operation.ts"
import { requireDocket } from "../require-docket.ts"

/** A secret without its value. */
interface ListedSecret {
  kind: string
  /** Empty for the only one of its kind. */
  name: string
  /** Null for a secret of the service itself. */
  workspace: string | null
  /** The file or directory that holds it; null for the database. */
  file: string | null
}

const Named = z.object({ tenantID: z.string(), kind: z.enum(secretKinds), name: z.string() })

/** Lists what is secret, without any value. The service may run, and no key is needed. @throws store_unavailable */
export async function listSecrets({ data, database }: { data: string; database: string | null }): Promise<Outcome> {
  requireDocket(data, database)
  const listed = [...(await inDatabase(data, database)), ...(await inFiles(data))]
  const lines = listed.map(({ kind, name, workspace, file }) =>
    [kind, name, workspace === null ? "" : `workspace ${workspace}`, file ?? "database"].filter(Boolean).join("  "),
  )
  return { words: lines.join("\n") || "Nothing secret is saved yet.", facts: { secrets: listed } }
}

/** Read as a copy does, which changes nothing and needs no lock. */
async function inDatabase(data: string, database: string | null): Promise<ListedSecret[]> {
  const { requireKnownMigrations } = await loadCopies()
  const source = await readTables(data, database)
  try {
    await requireKnownMigrations(database === null ? "sqlite" : "postgres", source.migrations)
    const table = source.tables.find(({ name }) => name === "Secret")
    const found: ListedSecret[] = []
    if (table === undefined) return found
    const names = table.columns.map(({ name }) => name)
    for await (const rows of source.rows(table)) {
      for (const row of rows) {
        const read = Named.safeParse(Object.fromEntries(row.map((cell, at) => [names[at], cell]))).data
        // Other rows are about keys.
        if (read === undefined) continue
        const { tenantID, kind, name } = read
        found.push({ kind, name, workspace: tenantID || null, file: null })
      }
    }
    return found
  } finally {
    await source.close()
  }
}

async function inFiles(data: string): Promise<ListedSecret[]> {
  const files = secretFiles(data)
  return (await readSecretFiles(files)).map(({ tenantID, kind, name }) => {
    const place = files.find((each) => each.tenantID === tenantID && each.kind === kind)?.place
    return { kind, name, workspace: tenantID || null, file: place === undefined ? null : path.join(data, place) }
  })
}
