import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, expect, it } from "vitest"
import type { Client, Database } from "../sql/database.ts"
import { lazyClient } from "../sql/lazy-client.ts"
import type { Program } from "../sql/program.ts"
import { createConnectionLock } from "./connection-lock.ts"
import { openSqlite } from "./open-sqlite.ts"
import { loadSqliteAccounts, loadSqliteClient } from "./sqlite-client.ts"
import { createSqliteDatabase } from "./sqlite-database.ts"

let directory: string
let file: string
let connection: DatabaseSync
let database: Database
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-sqlite-"))
  file = path.join(directory, "docket.db")
  connection = openSqlite(file)
  connection.exec(
    `CREATE TABLE "Counter" ("tenantID" TEXT, "name" TEXT, "value" INTEGER, PRIMARY KEY ("tenantID", "name"))`,
  )
  const lock = createConnectionLock()
  database = createSqliteDatabase(connection, lock, {
    records: lazyClient(() => loadSqliteClient(connection, lock)),
    accounts: lazyClient(() => loadSqliteAccounts(connection, lock)),
  })
})
afterEach(async () => {
  await database.close()
  await rm(directory, { recursive: true, force: true })
})

/** The same row, written by a program, by a call of Prisma's client, and in a transaction of the client. */
const writers: [string, (name: string) => Promise<unknown>][] = [
  ["a program", (name) => database.write({ program: () => insert(name) })],
  ["a call", (name) => database.write(({ counter }: Client) => counter.create({ data: row(name) }))],
  ["a transaction", (name) => database.write((client: Client) => client.$transaction([create(client, name)]))],
]
const row = (name: string) => ({ tenantID: "a", name, value: 1 })
const create = ({ counter }: Client, name: string) => counter.create({ data: row(name) })
function* insert(name: string): Program<void> {
  yield { sql: `INSERT INTO "Counter" VALUES ($1, $2, $3)`, params: ["a", name, 1] }
}
const names = () =>
  connection
    .prepare(`SELECT "name" FROM "Counter"`)
    .all()
    .map(({ name }) => name)

it.each(writers)("%s reports a full disk and writes again when there is space", async (_, write) => {
  // SQLite reports the same error for a full disk and for its own page limit.
  connection.exec("PRAGMA max_page_count = 20")
  await expect(write("x".repeat(1_000_000))).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringContaining("disk with the data directory is full"),
  })
  await write("one")
  expect(names()).toEqual(["one"])
})

it.each(writers)("%s reports that another program holds the database, then writes again", async (_, write) => {
  const other = openSqlite(file)
  connection.exec("PRAGMA busy_timeout = 0")
  other.exec("BEGIN IMMEDIATE")
  await expect(write("one")).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringContaining("Another program holds the database"),
  })
  other.exec("ROLLBACK")
  other.close()
  await write("two")
  expect(names()).toEqual(["two"])
})
