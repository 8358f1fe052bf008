import { setTimeout as delay } from "node:timers/promises"
import { DocketError } from "@docket/core/store"
import { Client } from "pg"

/** "dock": names the lock within the database. */
const lockKey = 0x646f636b
/** A server that was killed a moment ago still holds its connection for a while (ms). */
const defaultWait = 5_000
const retryEvery = 100
/** Longer than others that wait take between two attempts (ms). */
const yieldFor = 3 * retryEvery
/** Longer than the one before needs to see that it lost the database, when it can reach it (ms). */
const takeOverAfter = 2 * yieldFor
const connectTimeout = 10_000
/** How often the connection is tried (ms), and how long an answer may take. A server notices a broken one much later. */
const beat = 5_000
/** Longest wait between attempts to reach a server that is away (ms). */
const longestWait = 2_000

/** What has the database: a service, or a command that works on it while none runs. */
type Holder = "service" | "command"
/** How connections that hold the lock are called, by which others learn what keeps them from it. */
const names: Record<Holder, string> = { service: "docket owner", command: "docket command" }

export interface DatabaseClaim {
  /** Whether this process is the only service on the database, as far as it knows. */
  isHeld(): boolean
  release(): Promise<void>
}

export interface ClaimOptions {
  /** A service, unless told. */
  as?: Holder
  /** How long to wait for another service or command to end (ms). */
  waitMs?: number
  /** The connection broke: from now on another service may have the database. The claim tries to get it again. */
  onLost?(): void
  /** It has it again. */
  onHeld?(): void
  /** Another service has the database, or had it meanwhile: this one is not to go on. Called once, at the end. */
  onTaken?(error: DocketError): void
}

/**
 * Makes this process the only service on a PostgreSQL database, whatever its data directory: two would take each
 * other's turns for interrupted. The claim is held by a connection of its own, so it ends with the process.
 * @throws store_unavailable when another service or command has the database, with which it is, or the server does not answer
 */
export async function claimPostgresDatabase(url: string, options: ClaimOptions = {}): Promise<DatabaseClaim> {
  const { as = "service", waitMs = defaultWait } = options
  let held: Client | null = null
  try {
    const { client, hasWaited } = await lock(url, { as, waitMs })
    held = client
    const number = await count(held)
    // What still runs there ends before anything begins here.
    if (hasWaited) await delay(takeOverAfter)
    const relock = async () => (await lock(url, { as, waitMs, number })).client
    return keep(held, number, relock, options)
  } catch (error) {
    await held?.end().catch(() => {})
    if (error instanceof DocketError) throw error
    const message = `cannot reach the PostgreSQL database: ${error}. Check that the server runs and the address.`
    throw new DocketError("store_unavailable", message, { cause: error })
  }
}

/** A claim that gets itself back when its connection breaks. */
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
    }, beat).unref()
    held.once("end", lose)
  }
  const lockAgain = async (): Promise<Client> => {
    const held = await relock()
    try {
      await requireSame(held, number)
      return held
    } catch (error) {
      // Left open, it would keep the lock from the next attempt.
      await held.end().catch(() => {})
      throw error
    }
  }
  const regain = async () => {
    for (let wait = retryEvery; !released; wait = Math.min(wait * 2, longestWait)) {
      try {
        const held = await lockAgain()
        if (released) return void held.end().catch(() => {})
        hold(held)
        return options.onHeld?.()
      } catch (error) {
        if (error instanceof DocketError) return released ? undefined : options.onTaken?.(taken())
        // The server is away, so nobody else has the database either.
        await delay(wait)
      }
    }
  }
  hold(first)
  return {
    isHeld: () => client !== null,
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
  /** The number of a claim that is to be had again. */
  number?: number
}

/**
 * A connection that holds the lock, and whether another had it first. @throws store_unavailable when another has it for
 * `waitMs`, or had it since the claim with this `number`
 */
async function lock(url: string, { as, waitMs, number }: LockOptions): Promise<{ client: Client; hasWaited: boolean }> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: beat,
    application_name: names[as],
    keepAlive: true,
  })
  // Without a listener a lost connection ends the process; `end` follows.
  client.on("error", () => {})
  try {
    await client.connect()
    if (number !== undefined) {
      await requireSame(client, number)
      // A service that waits for the claim goes first: somebody may have ended the connection for its sake.
      await delay(yieldFor)
    }
    const end = Date.now() + waitMs
    let hasWaited = false
    while (!(await tryLock(client))) {
      hasWaited = true
      if (number !== undefined) await requireSame(client, number)
      if (Date.now() >= end) throw inUse(await holderOf(client))
      await delay(retryEvery)
    }
    return { client, hasWaited }
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [lockKey])
  return rows[0]?.locked === true
}

/**
 * Counts the services that had the database, which tells one that lost its claim whether another was there meanwhile.
 * Apart from the migrations, because they come after it.
 */
async function count(client: Client): Promise<number> {
  await client.query(`CREATE TABLE IF NOT EXISTS "_docket_claims" ("number" INTEGER PRIMARY KEY)`)
  await client.query(`INSERT INTO "_docket_claims" SELECT COALESCE(MAX("number"), 0) + 1 FROM "_docket_claims"`)
  const number = await numberOf(client)
  await client.query(`DELETE FROM "_docket_claims" WHERE "number" < $1`, [number])
  return number
}

/** @throws store_unavailable when another service had the database since */
async function requireSame(client: Client, number: number): Promise<void> {
  if ((await numberOf(client)) !== number) throw taken()
}

async function numberOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ number: number }>(`SELECT MAX("number") AS "number" FROM "_docket_claims"`)
  return rows[0]?.number ?? 0
}

/** What has the lock of this database; a service when the server does not say. */
async function holderOf(client: Client): Promise<Holder> {
  // A key of 64 bits is shown in two halves (pg_locks in PostgreSQL's manual).
  const { rows } = await client.query<{ name: string | null }>(
    `SELECT application_name AS name FROM pg_stat_activity JOIN pg_locks USING (pid)
     WHERE locktype = 'advisory' AND granted AND objid = $1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lockKey],
  )
  return rows.some(({ name }) => name === names.command) ? "command" : "service"
}

function inUse(holder: Holder): DocketError {
  return new DocketError(
    "store_unavailable",
    holder === "command"
      ? "another docket command works on this PostgreSQL database. Wait until it has ended, or stop it, and try again."
      : "another Docket service uses this PostgreSQL database. Stop it, or name another database.",
  )
}

function taken(): DocketError {
  return new DocketError(
    "store_unavailable",
    "this service lost its connection to the PostgreSQL database, and another Docket service took the database. This one ends; start it again when the other has been stopped.",
  )
}
