import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { ColumnTypeEnum, type SqlDriverAdapter, type SqlQuery } from "@prisma/driver-adapter-utils"
import { afterEach, beforeEach, expect, it } from "vitest"
import { type ConnectionLock, createConnectionLock } from "./connection-lock.ts"
import { openSqlite } from "./open-sqlite.ts"
import { createSqliteAdapter } from "./prisma-adapter.ts"

let directory: string
let connection: DatabaseSync
let lock: ConnectionLock
let adapter: SqlDriverAdapter

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "docket-adapter-"))
  connection = openSqlite(join(directory, "docket.db"))
  lock = createConnectionLock()
  adapter = await createSqliteAdapter(connection, lock).connect()
  connection.exec(`CREATE TABLE "Owner" ("id" TEXT PRIMARY KEY);
    CREATE TABLE "Thing" ("id" TEXT PRIMARY KEY, "owner" TEXT NOT NULL REFERENCES "Owner" ("id"), "open" BOOLEAN,
      "count" INTEGER, "large" BIGINT, "cost" REAL, "made" DATETIME, "bytes" BLOB);
    INSERT INTO "Owner" VALUES ('a')`)
})
afterEach(async () => {
  connection.close()
  await rm(directory, { recursive: true })
})

const query = (sql: string, ...args: unknown[]): SqlQuery => ({
  sql,
  args,
  argTypes: args.map(() => ({ scalarType: "unknown", arity: "scalar" })),
})
const insert = (id: string, owner: string | null) =>
  adapter.executeRaw(query(`INSERT INTO "Thing" ("id", "owner") VALUES (?, ?)`, id, owner))
const ids = () =>
  connection
    .prepare(`SELECT "id" FROM "Thing" ORDER BY "id"`)
    .all()
    .map(({ id }) => id)

it("each type is stored as SQLite does, and column types are reported", async () => {
  const scalars = ["string", "string", "boolean", "int", "bigint", "float", "datetime", "bytes"] as const
  const args = ["x", "a", true, 7, "12345678901", "1.5", "2026-01-02T03:04:05.678Z", "AAH/"]
  const argTypes = scalars.map((scalarType) => ({ scalarType, arity: "scalar" as const }))
  await adapter.executeRaw({ sql: `INSERT INTO "Thing" VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, args, argTypes })
  const { columnNames, columnTypes, rows } = await adapter.queryRaw(query(`SELECT *, COUNT(*) AS "all" FROM "Thing"`))
  expect(columnNames).toEqual(["id", "owner", "open", "count", "large", "cost", "made", "bytes", "all"])
  const { Text, Boolean: Flag, Int32, Int64, Double, DateTime, Bytes, UnknownNumber } = ColumnTypeEnum
  expect(columnTypes).toEqual([Text, Text, Flag, Int32, Int64, Double, DateTime, Bytes, UnknownNumber])
  const made = "2026-01-02T03:04:05.678+00:00"
  expect(rows).toEqual([["x", "a", 1, 7, 12345678901, 1.5, made, new Uint8Array([0, 1, 255]), 1]])
})

it("constraint errors are distinguished, with their columns and SQLite's code", async () => {
  await insert("x", "a")
  await expect(insert("x", "a")).rejects.toMatchObject({
    cause: { kind: "UniqueConstraintViolation", constraint: { fields: ["id"] }, originalCode: "1555" },
  })
  await expect(insert("y", null)).rejects.toMatchObject({
    cause: { kind: "NullConstraintViolation", constraint: { fields: ["owner"] } },
  })
  await expect(insert("y", "nobody")).rejects.toMatchObject({ cause: { kind: "ForeignKeyConstraintViolation" } })
  await expect(adapter.queryRaw(query(`SELECT * FROM "Nothing"`))).rejects.toMatchObject({
    cause: { kind: "TableDoesNotExist", table: "Nothing" },
  })
  await expect(adapter.queryRaw(query(`SELECT colour FROM "Thing"`))).rejects.toMatchObject({
    cause: { kind: "ColumnNotFound", column: "colour" },
  })
  await expect(adapter.queryRaw(query("SELECT FROM"))).rejects.toMatchObject({ cause: { kind: "sqlite" } })
})

it("other calls wait in order while a transaction is open", async () => {
  const done: string[] = []
  const transaction = await adapter.startTransaction()
  const note = (name: string) => () => void done.push(name)
  const others = [
    adapter.queryRaw(query(`SELECT COUNT(*) FROM "Thing"`)).then(({ rows }) => done.push(`saw ${rows[0]?.[0]}`)),
    lock.alone(note("program")),
    adapter.startTransaction().then(async (next) => {
      await next.executeRaw(query(`INSERT INTO "Thing" ("id", "owner") VALUES ('second', 'a')`))
      await next.rollback()
      done.push("second transaction")
    }),
    insert("last", "a").then(note("last")),
  ]
  await transaction.executeRaw(query(`INSERT INTO "Thing" ("id", "owner") VALUES ('first', 'a')`))
  expect(done).toEqual([])
  await transaction.commit()
  await Promise.all(others)
  expect(done).toEqual(["saw 1", "program", "second transaction", "last"])
  expect(ids()).toEqual(["first", "last"])
})

it("a rollback to a savepoint keeps what came before it", async () => {
  const transaction = await adapter.startTransaction("SERIALIZABLE")
  await transaction.executeRaw(query(`INSERT INTO "Thing" ("id", "owner") VALUES ('kept', 'a')`))
  await transaction.createSavepoint?.("one")
  await transaction.executeRaw(query(`INSERT INTO "Thing" ("id", "owner") VALUES ('gone', 'a')`))
  await transaction.rollbackToSavepoint?.("one")
  await transaction.releaseSavepoint?.("one")
  await transaction.commit()
  expect(ids()).toEqual(["kept"])
})

it("other calls continue when a transaction cannot begin or end", async () => {
  const other = openSqlite(join(directory, "docket.db"))
  connection.exec("PRAGMA busy_timeout = 0")
  other.exec("BEGIN IMMEDIATE")
  await expect(adapter.startTransaction()).rejects.toMatchObject({ cause: { kind: "SocketTimeout" } })
  await expect(insert("x", "a")).rejects.toMatchObject({ cause: { kind: "SocketTimeout", originalCode: "5" } })
  other.exec("ROLLBACK")
  other.close()
  await expect(adapter.startTransaction("READ COMMITTED")).rejects.toMatchObject({
    cause: { kind: "InvalidIsolationLevel" },
  })
  const transaction = await adapter.startTransaction()
  connection.exec("ROLLBACK")
  await expect(transaction.commit()).rejects.toMatchObject({ cause: { kind: "sqlite" } })
  await insert("x", "a")
  expect(ids()).toEqual(["x"])
})

it("a transaction whose commit fails is rolled back, and others continue", async () => {
  const transaction = await adapter.startTransaction()
  connection.exec("PRAGMA defer_foreign_keys = ON")
  await transaction.executeRaw(query(`INSERT INTO "Thing" ("id", "owner") VALUES ('orphan', 'nobody')`))
  const next = adapter.startTransaction()
  await expect(transaction.commit()).rejects.toMatchObject({ cause: { kind: "ForeignKeyConstraintViolation" } })
  const other = await next
  // A later call of Prisma about the failed transaction does not affect this one.
  await transaction.rollback()
  await other.executeRaw(query(`INSERT INTO "Thing" ("id", "owner") VALUES ('x', 'a')`))
  await other.commit()
  expect(ids()).toEqual(["x"])
})

it("more distinct statements than are cached can run", async () => {
  for (let length = 1; length <= 600; length++) {
    const list = Array.from({ length }, () => "?").join(", ")
    const { rows } = await adapter.queryRaw(query(`SELECT ${length} WHERE 1 IN (${list})`, ...Array(length).fill(1)))
    expect(rows).toEqual([[length]])
  }
})
