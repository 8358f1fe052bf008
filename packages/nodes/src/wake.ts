import { randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { DocketError } from "@docket/core"
import { Client } from "pg"

/** The channel of all nodes on a database. */
const channel = "docket"
/** Pause before another attempt to connect (ms). */
const retryMs = 500
/** The connection is checked this often; without a check, one that broke without a word would be noticed late (ms). */
const beatMs = 5_000
/** A notification that has not arrived after this time (ms) never will: usually it takes a few. */
const patienceMs = 10_000

export interface Wake {
  /** Calls the listener with the text of each notification, and with null when some may have been missed. */
  listen(listener: (text: string | null) => void): () => void
  close(): Promise<void>
}

/** The statement that wakes listeners when its transaction commits. PostgreSQL refuses texts of 8,000 bytes and more. */
export const wakeStatement = (text: string): { sql: string; values: [string, string] } => ({
  sql: "SELECT pg_notify($1, $2)",
  values: [channel, text],
})

/**
 * Hears what nodes tell each other through the database. A notification is only a reason to read rows: those sent while
 * the connection was away are lost.
 * @throws store_unavailable when notifications do not arrive: they do not pass a pooler of transactions
 */
export async function openWake(url: string, onError: (error: unknown) => void): Promise<Wake> {
  const listeners = new Set<(text: string | null) => void>()
  const tell = (text: string | null) => {
    for (const listener of listeners) listener(text)
  }
  let client: Client | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const connect = async () => {
    const next = new Client({ connectionString: url, application_name: "docket wake", keepAlive: true })
    next.on("error", () => {})
    next.on("notification", ({ payload }) => tell(payload ?? ""))
    await next.connect()
    await next.query(`LISTEN ${channel}`)
    client = next
    const beats = setInterval(() => void next.query("SELECT 1").catch(() => next.end().catch(() => {})), beatMs).unref()
    next.once("end", () => {
      clearInterval(beats)
      client = null
      if (!isClosed) again()
    })
    tell(null)
  }
  const again = () => {
    timer = setTimeout(() => {
      connect().catch((error) => {
        onError(error)
        if (!isClosed) again()
      })
    }, retryMs).unref()
  }
  await connect()
  const listen: Wake["listen"] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const close = async () => {
    isClosed = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
  try {
    await assertHeard(url, listen)
  } catch (error) {
    await close()
    throw error
  }
  return { listen, close }
}

/** Sends a notification by a connection of its own: with a pooler, one that listens may hear itself. */
async function assertHeard(url: string, listen: Wake["listen"]): Promise<void> {
  const { sql, values } = wakeStatement(`probe ${randomUUID()}`)
  const heard = Promise.withResolvers<boolean>()
  const unlisten = listen((text) => text === values[1] && heard.resolve(true))
  const sender = new Client({ connectionString: url, application_name: "docket probe" })
  sender.on("error", () => {})
  try {
    await sender.connect()
    await sender.query(sql, values)
    if (await Promise.race([heard.promise, delay(patienceMs, false, { ref: false })])) return
  } finally {
    unlisten()
    await sender.end().catch(() => {})
  }
  throw new DocketError(
    "store_unavailable",
    "notifications of the database do not arrive: DATABASE_URL seems to name a pooler of transactions, such as PgBouncer. Name the server itself, or a pool of sessions.",
  )
}
