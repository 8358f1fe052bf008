import { z } from "zod"
import { type Audit, keptLog } from "../audit/audit.ts"
import { readSeen } from "../audit/read-seen.ts"
import { AuditFilter } from "../procedures/audit.ts"
import { answered } from "./answer.ts"
import type { GuardedRoutes } from "./guarded-routes.ts"
import { sendDocument } from "./send-document.ts"
import { wellFormed } from "./well-formed.ts"

const Time = z.coerce.number().int().nonnegative().optional()
const Query = AuditFilter.extend({ since: Time, until: Time })

/** Maximum number of entries that one read returns. */
const page = 500

/**
 * `GET /api/audit?person=&act=&since=&until=&text=`: all matching entries of the audit log, newest first, one JSON
 * object a line.
 */
export function addAuditRoutes(routes: GuardedRoutes, audit: Audit | null): void {
  routes.get("/api/audit", "audit.read", async (c) => {
    const log = keptLog(audit)
    const { text, ...query } = wellFormed(Query, c.req.query())
    const { caller } = c.var.identity
    const { workspace } = caller
    const deps = { log, runtime: await c.var.useCases() }
    const type = "application/x-ndjson; charset=utf-8"
    const lines = linesOf((cursor) => readSeen(deps, caller, { ...query, ...(text && { text }), limit: page, cursor }))
    return answered(sendDocument(c.env.outgoing, { type, fileName: `audit-${workspace}.jsonl` }, lines))
  })
}

async function* linesOf(read: (cursor: string | undefined) => ReturnType<Audit["read"]>): AsyncIterable<string> {
  let cursor: string | undefined
  do {
    const { items, cursor: next } = await read(cursor)
    yield items.map((entry) => `${JSON.stringify(entry)}\n`).join("")
    cursor = next ?? undefined
  } while (cursor !== undefined)
}
