import { Pool } from "pg"

/** Connections of one process; a web or worker node rarely has more writers at once. */
const poolSize = 10
/** How long to wait for a server that does not answer, in ms. */
const connectTimeout = 10_000

export function openPostgres(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    application_name: "docket",
  })
  // A connection that breaks while idle is replaced at the next query; without a listener it ends the process.
  pool.on("error", () => {})
  // So does one that breaks between two statements of a transaction, whose next statement then fails.
  pool.on("connect", (client) => void client.on("error", () => {}))
  return pool
}
