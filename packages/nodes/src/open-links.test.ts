import { startPostgres } from "@docket/db/start-postgres"
import { Client } from "pg"
import { expect, onTestFinished, test } from "vitest"
import { openNodeLinks } from "./open-links.ts"

const server = await startPostgres()
const reason = typeof server === "string" ? server : null
if (reason !== null) console.warn(`PostgreSQL tests are skipped: ${reason}`)

test.skipIf(reason !== null)("nodes that start at once all connect", async () => {
  if (typeof server === "string") throw new Error(server)
  onTestFinished(server.stop)
  const onError = (error: unknown) => {
    throw error
  }
  const client = new Client({ connectionString: server.url })
  await client.connect()
  onTestFinished(() => client.end())
  for (let round = 0; round < 5; round++) {
    const opened = await Promise.allSettled(
      Array.from({ length: 6 }, () => openNodeLinks({ url: server.url, now: () => performance.now(), onError })),
    )
    for (const links of opened) if (links.status === "fulfilled") await links.value.close()
    expect(opened.filter(({ status }) => status === "rejected")).toEqual([])
    // The next ones get past the tables of pg-boss at once, and meet where their own are made.
    await client.query("DROP TABLE docket_jobs.tries, docket_jobs.page_files")
  }
})
