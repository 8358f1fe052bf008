import { setTimeout as delay } from "node:timers/promises"
import { DocketError } from "@docket/core/store"
import { Client } from "pg"

/** "dock": names the lock within the database. */
const lockKey = 0x646f636b
/** A server that was killed a moment ago still holds its connection for a while (ms). */
const defaultWait = 5_000
const retryEvery = 100
const connectTimeout = 10_000

export interface DatabaseClaim {
  release(): Promise<void>
}

/**
 * Makes this process the only service on a PostgreSQL database, whatever its data directory: two would take each
 * other's turns for interrupted. The claim is held by a connection of its own, so it ends with the process.
 * @param options.waitMs how long to wait for another service to end
 * @throws store_unavailable when another service has the database or the server does not answer
 */
export async function claimPostgresDatabase(
  url: string,
  { waitMs = defaultWait }: { waitMs?: number } = {},
): Promise<DatabaseClaim> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    application_name: "docket owner",
    keepAlive: true,
  })
  // Without a listener a lost connection ends the process; writes of a turn that another service took are refused.
  client.on("error", () => {})
  try {
    await client.connect()
    const end = Date.now() + waitMs
    while (!(await tryLock(client))) {
      if (Date.now() >= end) throw inUse()
      await delay(retryEvery)
    }
  } catch (error) {
    await client.end().catch(() => {})
    if (error instanceof DocketError) throw error
    const message = `cannot reach the PostgreSQL database: ${error}. Check that the server runs and the address.`
    throw new DocketError("store_unavailable", message, { cause: error })
  }
  return { release: () => client.end() }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [lockKey])
  return rows[0]?.locked === true
}

function inUse(): DocketError {
  return new DocketError(
    "store_unavailable",
    "another Docket service uses this PostgreSQL database. Stop it, or give this one a database of its own in DATABASE_URL.",
  )
}
