/** Maximum number of requests of one tenant at once. Each may hold a body of 4 MiB. */
const maxAtOnce = 32

/** Counts the requests in progress for each tenant. */
export interface InFlight {
  /** Does the work. Answers false at once when the tenant has too many requests in progress. */
  run(tenantID: string, work: () => Promise<void>): Promise<boolean>
}

export function createInFlight(): InFlight {
  const counts = new Map<string, number>()
  return {
    async run(tenantID, work) {
      const count = counts.get(tenantID) ?? 0
      if (count >= maxAtOnce) return false
      counts.set(tenantID, count + 1)
      try {
        await work()
        return true
      } finally {
        const left = (counts.get(tenantID) ?? 1) - 1
        if (left === 0) counts.delete(tenantID)
        else counts.set(tenantID, left)
      }
    },
  }
}
