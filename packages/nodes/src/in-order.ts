import { createHash } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { createKeyedQueue, type InOrder } from "@docket/core"
import { Client } from "pg"

/** Tells locks of this kind from other advisory locks of the database. */
const lockClass = 0x646b7431
/** Pause before the lock is tried again while another node has it (ms). */
const retryMs = 25
/** Without an answer to a statement for so long, the connection is given up (ms). */
const answerMs = 10_000

/**
 * Does work of one key one after the other, over all nodes: under an advisory lock of the database. All locks are of one
 * connection and are only tried, so none waits for a connection that another one has. When it breaks, its locks are free
 * at once, though their work may go on for a moment: this is for checks that take milliseconds.
 */
export function createNodesInOrder(url: string): { inOrder: InOrder; close(): Promise<void> } {
  const here = createKeyedQueue()
  let connecting: Promise<Client> | null = null
  const connect = async () => {
    const client = new Client({
      ...{ connectionString: url, application_name: "docket order", keepAlive: true, query_timeout: answerMs },
    })
    const forget = () => {
      connecting = null
    }
    client.on("error", forget)
    client.once("end", forget)
    await client.connect()
    return client
  }
  const opened = () => {
    connecting ??= connect().catch((error) => {
      connecting = null
      throw error
    })
    return connecting
  }
  const lock = async (number: number): Promise<Client> => {
    while (true) {
      const client = await opened()
      const { rows } = await client.query<{ got: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS got", [
        lockClass,
        number,
      ])
      if (rows[0]?.got === true) return client
      await delay(retryMs)
    }
  }
  return {
    inOrder: (key, work) =>
      here(key, async () => {
        const number = createHash("sha256").update(key).digest().readInt32BE(0)
        const client = await lock(number)
        try {
          return await work()
        } finally {
          // With its connection, the lock is gone as well.
          await client.query("SELECT pg_advisory_unlock($1, $2)", [lockClass, number]).catch(() => {})
        }
      }),
    async close() {
      const client = await connecting?.catch(() => null)
      await client?.end().catch(() => {})
    },
  }
}
