import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { Mutation } from "@docket/core/store"
import { root, todo } from "@docket/core/store/contract"
import { Client } from "pg"
import { beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase } from "../index.ts"
import { createConnectionLock } from "../sqlite/connection-lock.ts"
import { openSqlite } from "../sqlite/open-sqlite.ts"
import { loadSqliteClient } from "../sqlite/sqlite-client.ts"

// Prisma's default limits are 2 seconds of waiting and 5 of work: a minute exceeds both.
const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
})

it("a transaction on SQLite may wait a minute for another one", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-limits-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const connection = openSqlite(join(directory, "docket.db"))
  connection.exec(
    `CREATE TABLE "Counter" ("tenantID" TEXT, "name" TEXT, "value" INTEGER, PRIMARY KEY ("tenantID", "name"))`,
  )
  const lock = createConnectionLock()
  const client = await loadSqliteClient(connection, lock)
  await lock.acquire()
  const row = { tenantID: "a", name: "todo", value: 1 }
  const work = client.$transaction([client.counter.create({ data: row }), client.counter.findMany()])
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  await vi.advanceTimersByTimeAsync(minute)
  lock.release()
  expect(await work).toEqual([row, [row]])
  await client.$disconnect()
  connection.close()
})

it("the removal of a tenant on PostgreSQL may take a minute", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const database = await openPostgresDatabase({ url: server.url })
  const session = root()
  const mutations: Mutation[] = [
    { kind: "session", value: session },
    { kind: "todos", sessionID: session.id, value: [todo(session, 0)] },
  ]
  await database.store("a").write.commit([{ rootID: session.id, mutations }])
  const other = new Client({ connectionString: server.url })
  await other.connect()
  await other.query(`BEGIN; SELECT * FROM "Todo" FOR UPDATE`)
  const removal = database.tenants.remove("a")
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
  while ((await other.query(waiting)).rows.length === 0) await nextTurn()
  await vi.advanceTimersByTimeAsync(minute)
  await other.query("COMMIT")
  await removal
  expect(await database.tenants.list()).toEqual([])
  await other.end()
  await database.close()
})
