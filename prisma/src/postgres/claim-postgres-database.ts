import { setTimeout as delay } from "node:timers/promises"
import { DocketError } from "@docket/core/store"
import { Client } from "pg"

/** "dock": key of the lock in the database. */
const lockKey = 0x646f636b
/** "dockc": key of the lock under which claims are counted. */
const countKey = 0x646f636b63
/** How long to wait for the lock (ms): a server that was killed a moment ago still holds its connection for a while. */
const defaultWaitMs = 5_000
const retryEveryMs = 100
/** How long a service that lost its claim lets waiting services try first (ms): longer than their `retryEveryMs`. */
const yieldMs = 3 * retryEveryMs
/** Pause before a new owner begins (ms): within it, a previous owner that reaches the server notices its loss. */
const takeOverAfterMs = 2 * yieldMs
const connectTimeoutMs = 10_000
/**
 * How often the connection is checked (ms), which is also the time limit of a check. Without checks, a broken
 * connection would be noticed much later.
 */
const beatMs = 5_000
/** Longest pause between attempts to reach a server that is away (ms). */
const longestWaitMs = 2_000

/**
 * What owns the database: a service, or a command that works on it while no service runs, each alone; or a node, beside
 * other nodes.
 */
type Holder = "service" | "command" | "node"
/** Application names of connections that hold the lock, so that others can see what owns the database. */
const applicationNames: Record<Holder, string> = {
  service: "docket owner",
  command: "docket command",
  node: "docket node",
}

export interface DatabaseClaim {
  /** Whether this process owns the database, alone or with other nodes, as far as it knows. */
  ownsDatabase(): boolean
  release(): Promise<void>
}

export interface ClaimOptions {
  /** A service when left out. */
  as?: Holder
  /** How long to wait for what is in the way to end (ms). */
  waitMs?: number
  /** The connection broke: something else may now own the database. The claim tries to get it back. */
  onLost?(): void
  /** The claim owns the database again. */
  onHeld?(): void
  /**
   * Something else owns the database, or owned it meanwhile: this process must stop. Called at most once, as the last
   * event.
   */
  onTaken?(error: DocketError): void
}

/**
 * Makes this process the only service on a PostgreSQL database, whatever its data directory: two services would treat
 * each other's turns as interrupted. Nodes know of each other, so they share a claim. A dedicated connection holds it,
 * so it ends with the process.
 * @throws store_unavailable when something else owns the database (the message names what), or the server does not
 * answer
 */
export async function claimPostgresDatabase(url: string, options: ClaimOptions = {}): Promise<DatabaseClaim> {
  const { as = "service", waitMs = defaultWaitMs } = options
  let held: Client | null = null
  try {
    const { client, hasWaited } = await lock(url, { as, waitMs })
    held = client
    const number = await countClaim(held, as)
    // Work of the previous owner must end before this one begins.
    if (hasWaited) await delay(takeOverAfterMs)
    const relock = async () => (await lock(url, { as, waitMs, number })).client
    return keep(held, number, relock, options)
  } catch (error) {
    await held?.end().catch(() => {})
    if (error instanceof DocketError) throw error
    const message = `cannot reach the PostgreSQL database: ${error}. Check that the server runs and the address.`
    throw new DocketError("store_unavailable", message, { cause: error })
  }
}

/** A claim that restores itself when its connection breaks. */
function keep(first: Client, number: number, relock: () => Promise<Client>, options: ClaimOptions): DatabaseClaim {
  let client: Client | null = null
  let released = false
  const hold = (held: Client) => {
    client = held
    const lose = () => {
      clearInterval(beats)
      if (client !== held || released) return
      client = null
      options.onLost?.()
      void regain()
    }
    const beats = setInterval(() => {
      held.query("SELECT 1").catch(() => {
        void held.end().catch(() => {})
        lose()
      })
    }, beatMs).unref()
    held.once("end", lose)
  }
  const lockAgain = async (): Promise<Client> => {
    const held = await relock()
    try {
      await requireSame(held, number)
      return held
    } catch (error) {
      // An open connection would keep the lock from the next attempt.
      await held.end().catch(() => {})
      throw error
    }
  }
  const regain = async () => {
    for (let wait = retryEveryMs; !released; wait = Math.min(wait * 2, longestWaitMs)) {
      try {
        const held = await lockAgain()
        if (released) return void held.end().catch(() => {})
        hold(held)
        return options.onHeld?.()
      } catch (error) {
        if (error instanceof DocketError) return released ? undefined : options.onTaken?.(taken())
        // The server is away, so no other service can own the database either.
        await delay(wait)
      }
    }
  }
  hold(first)
  return {
    ownsDatabase: () => client !== null,
    async release() {
      released = true
      const held = client
      client = null
      await held?.end()
    },
  }
}

interface LockOptions {
  as: Holder
  waitMs: number
  /** The number of a claim that is restored. */
  number?: number
}

/**
 * A connection that holds the lock, and whether it had to wait for another owner. @throws store_unavailable when
 * another process holds it for `waitMs`, or held it after the claim with this `number`
 */
async function lock(url: string, { as, waitMs, number }: LockOptions): Promise<{ client: Client; hasWaited: boolean }> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: beatMs,
    application_name: applicationNames[as],
    keepAlive: true,
  })
  // Without a listener, a lost connection would end the process; an `end` event follows.
  client.on("error", () => {})
  try {
    await client.connect()
    if (number !== undefined) {
      await requireSame(client, number)
      // A service that already waits for the claim goes first: an administrator may have ended the connection for it.
      await delay(yieldMs)
    }
    const end = Date.now() + waitMs
    let hasWaited = false
    while (!(await tryLock(client, as))) {
      hasWaited = true
      if (number !== undefined) await requireSame(client, number)
      if (Date.now() >= end) throw inUse(as, await holderOf(client))
      await delay(retryEveryMs)
    }
    return { client, hasWaited }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function tryLock(client: Client, as: Holder): Promise<boolean> {
  const lock = as === "node" ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"
  const { rows } = await client.query<{ locked: boolean }>(`SELECT ${lock}($1) AS locked`, [lockKey])
  return rows[0]?.locked === true
}

/**
 * Counts who owned the database, and returns the number of this claim. So a process that lost its claim knows whether
 * another owner had it meanwhile. All nodes have one number until the next owner that is alone. The table is not part of
 * the migrations, because those run later.
 */
async function countClaim(client: Client, as: Holder): Promise<number> {
  const isShared = as === "node"
  await client.query("BEGIN")
  // Two nodes may begin at the same moment.
  await client.query("SELECT pg_advisory_xact_lock($1)", [countKey])
  await client.query(
    `CREATE TABLE IF NOT EXISTS "_docket_claims" ("number" INTEGER PRIMARY KEY, "shared" BOOLEAN NOT NULL DEFAULT FALSE)`,
  )
  // Earlier versions made the table without this column.
  await client.query(`ALTER TABLE "_docket_claims" ADD COLUMN IF NOT EXISTS "shared" BOOLEAN NOT NULL DEFAULT FALSE`)
  await client.query(
    `INSERT INTO "_docket_claims" ("number", "shared") SELECT COALESCE(MAX("number"), 0) + 1, $1 FROM "_docket_claims"
     HAVING NOT ($1 AND COALESCE(BOOL_AND("shared"), FALSE))`,
    [isShared],
  )
  const number = await numberOf(client)
  await client.query(`DELETE FROM "_docket_claims" WHERE "number" < $1`, [number])
  await client.query("COMMIT")
  return number
}

/** @throws store_unavailable when another owner has had the database since */
async function requireSame(client: Client, number: number): Promise<void> {
  if ((await numberOf(client)) !== number) throw taken()
}

async function numberOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ number: number }>(`SELECT MAX("number") AS "number" FROM "_docket_claims"`)
  return rows[0]?.number ?? 0
}

/** What holds the lock of this database; "service" when the server does not tell. */
async function holderOf(client: Client): Promise<Holder> {
  // A 64-bit key is shown in two halves (see pg_locks in the PostgreSQL manual).
  const { rows } = await client.query<{ name: string | null }>(
    `SELECT application_name AS name FROM pg_stat_activity JOIN pg_locks USING (pid)
     WHERE locktype = 'advisory' AND granted AND objid = $1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lockKey],
  )
  const holds = (holder: Holder) => rows.some(({ name }) => name === applicationNames[holder])
  if (holds("command")) return "command"
  return holds("node") ? "node" : "service"
}

function inUse(as: Holder, holder: Holder): DocketError {
  if (holder === "command")
    return new DocketError(
      "store_unavailable",
      "another docket command works on this PostgreSQL database. Wait until it has ended, or stop it, and try again.",
    )
  if (holder === "node")
    return new DocketError(
      "store_unavailable",
      "Docket nodes (web, worker) use this PostgreSQL database. Stop all of them, or name another database.",
    )
  const service = as === "node" ? "a Docket service with --role all" : "another Docket service"
  return new DocketError(
    "store_unavailable",
    `${service} uses this PostgreSQL database. Stop it, or name another database.`,
  )
}

function taken(): DocketError {
  return new DocketError(
    "store_unavailable",
    "this service lost its connection to the PostgreSQL database, and another Docket service took the database. This one ends; start it again when the other has been stopped.",
  )
}
