import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { startPostgres } from "../test/start-postgres.ts"
import { openPostgresDatabase, openSqliteDatabase } from "./index.ts"
import { openPostgres } from "./postgres/open-postgres.ts"
import { loadPostgresAccounts, loadPostgresClient } from "./postgres/postgres-client.ts"
import { createStatementNames } from "./postgres/statement-names.ts"
import type { AccountClient, Client } from "./sql/database.ts"
import { createConnectionLock } from "./sqlite/connection-lock.ts"
import { openSqlite } from "./sqlite/open-sqlite.ts"
import { loadSqliteAccounts, loadSqliteClient } from "./sqlite/sqlite-client.ts"
import { accountModels } from "./store/account-tables.ts"
import { models } from "./store/tenants.ts"

/** Reads every column of every table: fails if the models and the migrations differ. */
async function readAll(client: Client, accounts: AccountClient): Promise<void> {
  for (const model of models) {
    // All models have this column; only the types of their calls differ.
    const rows = client[model] as unknown as Client["counter"]
    expect(await rows.findMany({ where: { tenantID: "local" } }), model).toEqual([])
  }
  for (const model of accountModels) {
    const rows = accounts[model] as unknown as AccountClient["authUser"]
    expect(await rows.findMany({ where: { id: "nobody" } }), model).toEqual([])
  }
}

it("SQLite has a column for each field of the models", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-prisma-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, "docket.db")
  await (await openSqliteDatabase({ file, clock: Date.now })).close()
  const connection = openSqlite(file)
  const lock = createConnectionLock()
  await readAll(await loadSqliteClient(connection, lock), await loadSqliteAccounts(connection, lock))
  connection.close()
})

it("PostgreSQL has a column for each field of the models", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  await (await openPostgresDatabase({ url: server.url })).close()
  const pool = openPostgres(server.url)
  const names = createStatementNames()
  await readAll(await loadPostgresClient(pool, names), await loadPostgresAccounts(pool, names))
  await pool.end()
})
