import { DocketError } from "@docket/core/store"
import type { Database } from "../sql/database.ts"

/** The database through which the stores of one tenant write, until the tenant is removed. */
export interface TenantGate {
  database: Database
  /** Refuses all further writes. Resolves when the running ones have ended. */
  close(): Promise<void>
}

export function createTenantGate(database: Database, tenantID: string): TenantGate {
  const running = new Set<Promise<unknown>>()
  let closed = false
  return {
    database: {
      ...database,
      async write(work) {
        if (closed) throw new DocketError("tenant_not_found", `The tenant ${tenantID} was removed.`)
        const writing = database.write(work)
        running.add(writing)
        try {
          return await writing
        } finally {
          running.delete(writing)
        }
      },
    },
    async close() {
      closed = true
      await Promise.allSettled(running)
    },
  }
}
