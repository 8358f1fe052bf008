import { createHash } from "node:crypto"
import type { ExecuteSql } from "@docket/core/turn-engine"
import { RateLimiterPostgres } from "rate-limiter-flexible"

/** How often something was tried, by key, in windows that begin with the first try. All nodes count together. */
export interface Tries {
  /** Counts a try. Null when it may be made; when all are used, how long to wait (ms), and it does not count. */
  take(key: string): Promise<number | null>
  /** Takes one try back. */
  giveBack(key: string): Promise<void>
  clear(key: string): Promise<void>
}

export type CreateTries = (name: string, limit: { most: number; windowMs: number }) => Tries

const table = "tries"

/**
 * Makes the table where it is missing: one node after the other, never two at once.
 *
 * @param execute runs a statement; @param schema in which the table of tries is
 */
export async function openTries(execute: ExecuteSql, schema: string): Promise<CreateTries> {
  const storeClient = { query: ({ text, values }: { text: string; values?: unknown[] }) => execute(text, values) }
  const options = { storeClient, storeType: "pool", tableName: table, schemaName: schema }
  // One of all names removes what is old, because they share the table.
  await new Promise<void>((resolve, reject) => {
    new RateLimiterPostgres({ ...options, points: 1, duration: 1, clearExpiredByTimeout: true }, (error?: Error) =>
      error ? reject(error) : resolve(),
    )
  })
  return (name, { most, windowMs }) => {
    const limiter = new RateLimiterPostgres({
      ...options,
      ...{
        keyPrefix: name,
        points: most,
        duration: windowMs / 1_000,
        tableCreated: true,
        clearExpiredByTimeout: false,
      },
    })
    return {
      async take(key) {
        // Counted before it is looked at, so that of many at once no more than these pass.
        const { consumedPoints, msBeforeNext } = await limiter.penalty(hashed(key))
        if (consumedPoints <= most) return null
        await limiter.reward(hashed(key))
        return msBeforeNext
      },
      async giveBack(key) {
        await limiter.reward(hashed(key))
      },
      async clear(key) {
        await limiter.delete(hashed(key))
      },
    }
  }
}

/** The table holds no addresses and names, and its keys are short. */
function hashed(key: string): string {
  return createHash("sha256").update(key).digest("base64url")
}
