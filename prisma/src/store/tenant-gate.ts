import { DocketError } from "@docket/core/store"
import type { Database } from "../sql/database.ts"

/** What the stores of one tenant write through, until the tenant is removed. */
export interface TenantGate {
  database: Database
  /** Refuses every further write. Resolves when those that had begun have ended. */
  close(): Promise<void>
}

export function createTenantGate(database: Database, tenantID: string): TenantGate {
  const running = new Set<Promise<unknown>>()
  let closed = false
  return {
    database: {
      ...database,
      async write(program) {
        if (closed) throw new DocketError("tenant_not_found", `The tenant ${tenantID} was removed.`)
        const work = database.write(program)
        running.add(work)
        try {
          return await work
        } finally {
          running.delete(work)
        }
      },
    },
    async close() {
      closed = true
      await Promise.allSettled(running)
    },
  }
}
