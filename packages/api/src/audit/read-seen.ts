import type { AuditLog, UseCases } from "@docket/core"
import type { AuditEntry, Caller } from "@docket/core/schema"
import type { Page } from "@docket/core/store"

/** Entries that are read at once in the search for a text. */
const entriesPerLook = 500
/** After so many reads the page is answered with what was found. */
const maxLooks = 50

/**
 * A page of the audit log as its reader sees it, without the names of other people's private sessions. The text is
 * searched in what the reader sees. A search in the stored entries would let readers guess hidden ids, by what it finds
 * and where the next page begins.
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
    const page = await log.read(workspace, { ...query, limit: entriesPerLook, cursor })
    found.push(...(await runtime.audit.seen({ entries: page.items, text })))
    if (found.length > limit) return { items: found.slice(0, limit), cursor: found[limit - 1]?.id ?? null }
    if (page.cursor === null) return { items: found, cursor: null }
    cursor = page.cursor
  }
  return { items: found, cursor: cursor ?? null }
}
