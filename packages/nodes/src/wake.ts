import { Client } from "pg"

/** The channel of all nodes on a database. */
const channel = "docket"
/** Pause before another attempt to connect (ms). */
const retryMs = 500
/** The connection is checked this often; without a check, one that broke without a word would be noticed late (ms). */
const beatMs = 5_000

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
  return {
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
