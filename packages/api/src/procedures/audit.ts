import { AuditAct, type AuditEntry, auditActs } from "@docket/core/schema"
import type { Page } from "@docket/core/store"
import { z } from "zod"
import { keptLog } from "../audit/audit.ts"
import { readSeen } from "../audit/read-seen.ts"
import { allowed, router } from "../trpc.ts"

const Time = z.number().int().nonnegative()

/** Filters entries by person (id), act, time (epoch ms), and words in what the act was about. */
export const AuditFilter = z.object({
  person: z.string().max(200).optional(),
  act: AuditAct.optional(),
  since: Time.optional(),
  until: Time.optional(),
  text: z.string().trim().max(200).optional(),
})

const ListInput = AuditFilter.extend({
  cursor: z.string().max(64).optional(),
  limit: z.number().int().min(1).max(500).default(100),
})

export const auditRouter = router({
  /** Who did what in the workspace, newest first, in pages. `GET /api/audit` gives all of it as JSON lines. */
  list: allowed("audit.read")
    .input(ListInput)
    .query(async ({ ctx, input: { text, ...input } }): Promise<Page<AuditEntry>> => {
      const log = keptLog(ctx.audit)
      // An empty text is no filter.
      return await readSeen({ log, runtime: ctx.runtime }, ctx.identity.caller, { ...input, ...(text && { text }) })
    }),

  /** The acts that the log records, in words. */
  acts: allowed("audit.read").query((): { act: AuditAct; words: string }[] => {
    return AuditAct.options.map((act) => ({ act, words: auditActs[act] }))
  }),
})
