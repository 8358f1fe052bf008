import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TenantDatabase } from "@docket/core/store"
import { expect, it } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase, openSqliteDatabase } from "../index.ts"
import { openPostgres } from "../postgres/open-postgres.ts"
import { openSqlite } from "../sqlite/open-sqlite.ts"
import { migratePostgres } from "./migrate-postgres.ts"
import { migrateSqlite } from "./migrate-sqlite.ts"
import { readMigrations } from "./migrations.ts"

/** A todo in the format of the first version. */
const old = (number: number, status: string, agent: string | null) => ({
  id: `tod_01a20035e57b0000j8qu5Ynbd${number}`,
  number,
  sessionID: null,
  // This text would break a migration that searches the text of the JSON.
  content: 'nul \0, half a pair \ud800, "updated":7, "agent":"x"',
  description: "",
  status,
  priority: "medium",
  position: 0,
  agent,
  time: { created: 1_000, updated: 1_000 + number, completed: null },
})
const todos = [old(1, "completed", null), old(2, "pending", "build"), old(3, "pending", null)]
/** @param data the placeholder for the JSON, as the database writes it */
const insertOf = ({ id, number, status, position }: (typeof todos)[number], data: "?" | "$1") =>
  `INSERT INTO "Todo" ("tenantID", "id", "number", "status", "position", "data")
  VALUES ('local', '${id}', ${number}, '${status}', ${position}, ${data})`

async function expectUpgraded(database: TenantDatabase): Promise<void> {
  const { todo } = database.store("local")
  const upgraded = todos.map((value) => ({ ...value, dependsOn: [], owner: null, proposed: null }))
  const [done, assigned, newest] = upgraded
  // Open todos come first, and of these the newest.
  expect(await todo.find({ scope: { kind: "tenant" }, limit: 9 })).toEqual([newest, assigned, done])
  expect(await todo.find({ scope: { kind: "all" }, agent: "build", limit: 9 })).toEqual([assigned])
}

it("todos of the first version keep their order in SQLite", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-upgrade-"))
  const file = join(directory, "docket.db")
  const connection = openSqlite(file)
  await migrateSqlite({ connection, file, clock: Date.now }, (await readMigrations("sqlite")).slice(0, 1))
  for (const value of todos) connection.prepare(insertOf(value, "?")).run(JSON.stringify(value))
  connection.close()
  const database = await openSqliteDatabase({ file, clock: Date.now })
  await expectUpgraded(database)
  await database.close()
  await rm(directory, { recursive: true })
})

it("todos of the first version keep their order in PostgreSQL", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  const pool = openPostgres(server.url)
  await migratePostgres(pool, (await readMigrations("postgres")).slice(0, 1))
  for (const value of todos) await pool.query(insertOf(value, "$1"), [JSON.stringify(value)])
  await pool.end()
  const database = await openPostgresDatabase({ url: server.url })
  await expectUpgraded(database)
  await database.close()
  await server.stop()
})

it("a node misses a newer migration only when every node needs it", async ({ skip, onTestFinished }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(() => server.stop())
  const database = await openPostgresDatabase({ url: server.url })
  onTestFinished(() => database.close())
  const pool = openPostgres(server.url)
  onTestFinished(() => pool.end())
  const known = await readMigrations("postgres")
  const adds = { name: "9998_adds", sql: `CREATE TABLE "More" ("id" TEXT)`, checksum: "a" }
  const changes = { name: "9999_changes", sql: "SELECT 1", checksum: "b", needed: true }
  expect(await database.missed()).toBeNull()
  await migratePostgres(pool, [...known, adds])
  expect(await database.missed()).toBeNull()
  await migratePostgres(pool, [...known, adds, changes])
  expect(await database.missed()).toBe("9999_changes")
})
