import { Pool } from "pg"

/** Connections per process; a service rarely has more concurrent writers. */
const poolSize = 10
/** How long to wait for a server that does not answer (ms). */
const connectTimeoutMs = 10_000

export function openPostgres(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "docket",
  })
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on("error", () => {})
  // The same for one that breaks between two statements of a transaction; the next statement then fails.
  pool.on("connect", (client) => void client.on("error", () => {}))
  return pool
}
