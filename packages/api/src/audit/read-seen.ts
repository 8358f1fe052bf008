import type { AuditLog, UseCases } from "@docket/core"
import type { AuditEntry, Caller } from "@docket/core/schema"
import type { Page } from "@docket/core/store"

/** Pages of what the reader does not find that are passed by before one with a gap is answered. */
const maxPages = 50

/** A page of the audit log as its reader sees it: private sessions of others are not named, and not found by their ids. */
export async function readSeen(
  { log, runtime }: { log: Pick<AuditLog, "read">; runtime: Pick<UseCases, "audit"> },
  { workspace }: Caller,
  query: Parameters<AuditLog["read"]>[1],
): Promise<Page<AuditEntry>> {
  const items: AuditEntry[] = []
  let { cursor } = query
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await log.read(workspace, { ...query, limit: query.limit - items.length, cursor })
    items.push(...(await runtime.audit.seen(page.items, query.text)))
    if (page.cursor === null) return { items, cursor: null }
    cursor = page.cursor
    if (items.length >= query.limit) break
  }
  return { items, cursor: cursor ?? null }
}
