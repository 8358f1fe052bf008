import type { AuditLog, UseCases } from "@docket/core"
import type { AuditEntry, Caller } from "@docket/core/schema"
import type { Page } from "@docket/core/store"

/** Entries that are looked through at once for a text. */
const looked = 500
/** So many times; then a page with what was found by then is answered. */
const maxLooks = 50

/**
 * A page of the audit log as its reader sees it: private sessions of others are not named. Its text is looked for in what
 * the reader is shown, as by what the store finds, and where it goes on, hidden ids could be guessed.
 */
export async function readSeen(
  { log, runtime }: { log: Pick<AuditLog, "read">; runtime: Pick<UseCases, "audit"> },
  { workspace }: Caller,
  { text, limit, ...query }: Parameters<AuditLog["read"]>[1],
): Promise<Page<AuditEntry>> {
  if (text === undefined) {
    const { items, cursor } = await log.read(workspace, { ...query, limit })
    return { items: await runtime.audit.seen({ entries: items, text: undefined }), cursor }
  }
  const found: AuditEntry[] = []
  let { cursor } = query
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const page = await log.read(workspace, { ...query, limit: looked, cursor })
    found.push(...(await runtime.audit.seen({ entries: page.items, text })))
    if (found.length > limit) return { items: found.slice(0, limit), cursor: found[limit - 1]?.id ?? null }
    if (page.cursor === null) return { items: found, cursor: null }
    cursor = page.cursor
  }
  return { items: found, cursor: cursor ?? null }
}
