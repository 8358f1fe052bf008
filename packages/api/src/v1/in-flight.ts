/** Maximum number of requests of one tenant at once. Each may hold a body of 4 MiB. */
const maxAtOnce = 32

/** Counts the requests in progress for each tenant. */
export interface InFlight {
  /** Does the work. Answers false at once when the tenant has too many requests in progress. */
  run(tenantID: string, work: () => Promise<void>): Promise<boolean>
  /** Waits for something as a part of work. Meanwhile the work does not count. */
  apart<T>(tenantID: string, wait: () => Promise<T>): Promise<T>
}

export function createInFlight(): InFlight {
  const counts = new Map<string, number>()
  const add = (tenantID: string, change: 1 | -1) => {
    const count = (counts.get(tenantID) ?? 0) + change
    if (count === 0) counts.delete(tenantID)
    else counts.set(tenantID, count)
  }
  return {
    async run(tenantID, work) {
      if ((counts.get(tenantID) ?? 0) >= maxAtOnce) return false
      add(tenantID, 1)
      try {
        await work()
        return true
      } finally {
        add(tenantID, -1)
      }
    },
    async apart(tenantID, wait) {
      add(tenantID, -1)
      try {
        return await wait()
      } finally {
        add(tenantID, 1)
      }
    },
  }
}
