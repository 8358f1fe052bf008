import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TenantDatabase } from "@docket/core/store"
import { twoRuntimesContract } from "@docket/core/store/contract"
import { afterAll, it } from "vitest"
import { writeMigratedSqlite } from "../test/migrated-sqlite.ts"
import { startPostgres } from "../test/start-postgres.ts"
import { openPostgresDatabase, openSqliteDatabase } from "./index.ts"

async function openTwice(open: () => Promise<TenantDatabase>, end = async () => {}) {
  const [first, second] = [await open(), await open()]
  const tenant = randomUUID()
  const dispose = async () => {
    await first.close()
    await second.close()
    await end()
  }
  return { one: first.store(tenant), other: second.store(tenant), dispose }
}

twoRuntimesContract("sqlite, a connection each", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-sqlite-"))
  const file = join(directory, "docket.db")
  await writeMigratedSqlite(file)
  const open = () => openSqliteDatabase({ file, clock: Date.now })
  return openTwice(open, () => rm(directory, { recursive: true }))
})

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`postgres (${server})`, () => {})
} else {
  afterAll(server.stop)
  twoRuntimesContract("postgres", () => openTwice(() => openPostgresDatabase({ url: server.url })))
}
