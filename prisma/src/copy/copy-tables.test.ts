import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createIdSource } from "@docket/core"
import { expect, it, onTestFinished } from "vitest"
import { writeMigratedSqlite } from "../../test/migrated-sqlite.ts"
import { startPostgres } from "../../test/start-postgres.ts"
import { openSqliteDatabase } from "../index.ts"
import { fillTables } from "./copies.ts"
import { copyTables } from "./copy-tables.ts"
import { readPostgresTables } from "./postgres-tables.ts"
import { readSqliteTables } from "./sqlite-tables.ts"
import { isCopied, type TableSource } from "./table.ts"
import { sumOf } from "./table-digest.ts"

const newId = createIdSource()

/** Text values that are hard to quote and sort. A row has one of them in all columns, so its references exist. */
const texts = ["a", "Z", "ü'\\\"{}$1\n", "\u{1F600} \uFFFD", "%_,"]
const query = `SELECT m."name" AS "table", c."name" AS "name", c."type" AS "type", c."notnull" AS "needed", c."pk" AS "key"
  FROM sqlite_master m JOIN pragma_table_info(m."name") c WHERE m."type" = 'table'`

interface Column {
  table: string
  name: string
  type: string
  needed: number
  key: number
}

/** A file with rows in every table of the migrations, including tables that this test does not know. */
async function filledFile(): Promise<{ file: string; tables: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), "docket-copy-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, "docket.db")
  await writeMigratedSqlite(file)
  const connection = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const columns = (connection.prepare(query).all() as unknown as Column[]).filter(({ table }) => isCopied(table))
  const byTable = Map.groupBy(columns, ({ table }) => table)
  for (const [table, own] of byTable) {
    const names = own.map(({ name }) => `"${name}"`).join(", ")
    const insert = connection.prepare(`INSERT INTO "${table}" (${names}) VALUES (${own.map(() => "?").join(", ")})`)
    for (const [at, text] of texts.entries()) insert.run(...own.map((column) => cellFor(column, text, at)))
  }
  expect(connection.prepare("PRAGMA foreign_key_check").all()).toEqual([])
  connection.close()
  return { file, tables: [...byTable.keys()].sort() }
}

function cellFor({ type, needed, key }: Column, text: string, at: number): string | number | null {
  // Every other row leaves out optional values.
  if (!needed && !key && at % 2 === 1) return null
  switch (type) {
    case "TEXT":
      return text
    case "INTEGER":
      return 2 ** 31 - 1 - at
    case "REAL":
      return at === 0 ? 1.7976931348623157e308 : 0.1 + 0.2 * at
    case "BOOLEAN":
      return at % 2
    case "DATETIME":
      return `2026-02-28T23:59:59.00${at}+00:00`
    default:
      throw new Error(`no value for ${type}`)
  }
}

async function sumsOf(source: TableSource) {
  const sums = []
  for (const table of source.tables) sums.push([table.name, await sumOf(source.rows(table))])
  await source.close()
  return Object.fromEntries(sums)
}

it("each table is copied to PostgreSQL and back, row by row", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const { file, tables } = await filledFile()
  const before = await readFile(file)
  const source = readSqliteTables(file)
  const target = await fillTables({ url: server.url, keepIn: null }, source.migrations)
  const sums = await copyTables(source, target, () => undefined)
  await target.finish()
  expect(Object.keys(sums).sort()).toEqual(tables)
  for (const [table, sum] of Object.entries(sums)) expect([table, sum.rows]).toEqual([table, texts.length])
  const copied = await readPostgresTables(server.url)
  expect(copied.migrations).toEqual(source.migrations)
  expect(await sumsOf(copied)).toEqual(sums)
  expect(await sumsOf(source)).toEqual(sums)
  expect((await readFile(file)).equals(before)).toBe(true)
  const copiedBack = join(file, "../again.db")
  const from = await readPostgresTables(server.url)
  const back = await fillTables({ file: copiedBack }, from.migrations)
  expect(await copyTables(from, back, () => undefined)).toEqual(sums)
  await back.finish()
  await from.close()
  expect(await sumsOf(readSqliteTables(copiedBack))).toEqual(sums)
  // The stored values are exactly the same too, not only their common form.
  const rows = (path: string) => new DatabaseSync(path).prepare(`SELECT * FROM "AuthUser" ORDER BY "id"`).all()
  expect(rows(copiedBack)).toEqual(rows(file))
})

it("a copy with broken references leaves an empty PostgreSQL database empty", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const { file } = await filledFile()
  const broken = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  broken.exec(`DELETE FROM "Session" WHERE "id" = 'Z'`)
  broken.close()
  const source = readSqliteTables(file)
  const target = await fillTables({ url: server.url, keepIn: null }, source.migrations)
  await copyTables(source, target, () => undefined)
  await expect(target.finish()).rejects.toThrow("violates foreign key constraint")
  await target.abandon()
  await source.close()
  expect(await server.execute(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
})

it("a database with tables is refused, or its tables moved on request", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  await server.execute(`CREATE TABLE "Theirs" ("id" TEXT)`)
  const { file } = await filledFile()
  const source = readSqliteTables(file)
  await expect(fillTables({ url: server.url, keepIn: null }, source.migrations)).rejects.toThrow("is not empty")
  const target = await fillTables({ url: server.url, keepIn: "before_now" }, source.migrations)
  await copyTables(source, target, () => undefined)
  await target.finish()
  await source.close()
  expect(await server.execute(`SELECT schemaname FROM pg_tables WHERE tablename = 'Theirs'`)).toEqual([
    { schemaname: "before_now" },
  ])
})

it("a copy replaces a PostgreSQL database and keeps the previous one complete", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const { file } = await filledFile()
  for (const keepIn of [null, "before_one", "before_two"]) {
    const source = readSqliteTables(file)
    const target = await fillTables({ url: server.url, keepIn }, source.migrations)
    await copyTables(source, target, () => undefined)
    await target.finish()
    await source.close()
  }
  for (const schema of ["before_one", "before_two", "public"]) {
    expect(await server.execute(`SELECT count(*)::int AS "rows" FROM ${schema}."AuditEntry"`)).toEqual([
      { rows: texts.length },
    ])
    await expect(server.execute(`UPDATE ${schema}."AuditEntry" SET "at" = "at"`)).rejects.toThrow("are not changed")
  }
})

it("a copy leaves out which nodes and hosts used the database", async () => {
  const { file } = await filledFile()
  const database = await openSqliteDatabase({ file, clock: Date.now })
  await database.nodes.beat({ id: newId("node"), hostID: newId("host"), role: "all", version: "1", pid: 1, places: [] })
  await database.nodes.putHost({ id: newId("host"), label: "rack" })
  await database.close()
  const source = readSqliteTables(file)
  const copied = join(file, "../again.db")
  const target = await fillTables({ file: copied }, source.migrations)
  await copyTables(source, target, () => undefined)
  await target.finish()
  await source.close()
  const copy = await openSqliteDatabase({ file: copied, clock: Date.now })
  onTestFinished(copy.close)
  expect([(await copy.nodes.list()).nodes, await copy.nodes.hosts()]).toEqual([[], []])
})

it("a copy from a newer version is refused", async () => {
  const { file } = await filledFile()
  const source = readSqliteTables(file)
  await source.close()
  const into = { file: join(file, "../new.db") }
  await expect(fillTables(into, [...source.migrations, "9999_future"])).rejects.toThrow("written by a newer Docket")
})

it("a copy from an older version is migrated", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-copy-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const [old, file] = [join(directory, "old.db"), join(directory, "docket.db")]
  const connection = new DatabaseSync(old)
  const released = join(import.meta.dirname, "../../test/released-databases/0.1.0/sqlite.sql")
  connection.exec(await readFile(released, "utf8"))
  connection.close()
  const source = readSqliteTables(old)
  const target = await fillTables({ file }, source.migrations)
  const sums = await copyTables(source, target, () => undefined)
  await target.finish()
  await source.close()
  const now = readSqliteTables(file)
  expect(now.migrations.length).toBeGreaterThan(source.migrations.length)
  const sumsNow = await sumsOf(now)
  for (const [table, { rows }] of Object.entries(sums)) expect([table, sumsNow[table].rows]).toEqual([table, rows])
})
