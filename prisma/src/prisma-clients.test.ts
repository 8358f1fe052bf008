import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PrismaPg } from "@prisma/adapter-pg"
import { expect, it } from "vitest"
import { startPostgres } from "../test/start-postgres.ts"
import { PrismaClient as PostgresClient } from "./generated/postgres/client/client.ts"
import { PrismaClient as SqliteClient } from "./generated/sqlite/client/client.ts"
import { openPostgresDatabase, openSqliteDatabase } from "./index.ts"
import { createConnectionLock } from "./sqlite/connection-lock.ts"
import { openSqlite } from "./sqlite/open-sqlite.ts"
import { createSqliteAdapter } from "./sqlite/prisma-adapter.ts"

const project = {
  id: "prj_01a20035e57b0000j8qu5Ynbd9",
  name: "a",
  directory: "/a",
  worktree: "/a",
  git: true,
  time: { created: 1_700_000_000_001, opened: 1_700_000_000_002 },
}

/** Reads every table: a column that the models and the migrations see differently fails here. */
async function readAll(client: SqliteClient, tenantID: string) {
  const where = { tenantID }
  await Promise.all([
    client.session.findMany({ where, include: { children: true, grants: true, shares: true } }),
    client.message.findMany({ where, include: { parts: true } }),
    client.part.findMany({ where }),
    client.turn.findMany({ where }),
    client.tree.findMany({ where }),
    client.todo.findMany({ where }),
    client.permissionRequest.findMany({ where }),
    client.permissionGrant.findMany({ where }),
    client.share.findMany({ where }),
    client.removal.findMany({ where }),
    client.todoChange.findMany({ where }),
    client.task.findMany({ where }),
    client.memory.findMany({ where }),
    client.schedule.findMany({ where, include: { runs: true } }),
    client.apiToken.findMany({ where }),
  ])
  return { projects: await client.project.findMany({ where }), counters: await client.counter.findMany({ where }) }
}

const stored = (tenantID: string) => {
  const { id, directory, time } = project
  const row = { tenantID, id, directory, opened: time.opened, data: JSON.stringify(project) }
  return { projects: [row], counters: [{ tenantID, name: "todo", value: 7 }] }
}

it("Prisma's client reads what the SQLite store wrote", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-prisma-"))
  const file = join(directory, "docket.db")
  const database = await openSqliteDatabase({ file, clock: Date.now })
  const store = database.store("local")
  await store.project.put(project)
  await store.write.reserveTodoNumbers(7)
  const connection = openSqlite(file)
  const client = new SqliteClient({ adapter: createSqliteAdapter(connection, createConnectionLock()) })
  expect(await readAll(client, "local")).toEqual(stored("local"))
  await client.$disconnect()
  connection.close()
  await database.close()
  await rm(directory, { recursive: true })
})

it("Prisma's client reads what the PostgreSQL store wrote", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  const tenantID = randomUUID()
  const database = await openPostgresDatabase({ url: server.url })
  const store = database.store(tenantID)
  await store.project.put(project)
  await store.write.reserveTodoNumbers(7)
  const client = new PostgresClient({ adapter: new PrismaPg({ connectionString: server.url }) })
  // Both clients come of the same models; only optional arguments of their generics keep them from being assignable.
  expect(await readAll(client as unknown as SqliteClient, tenantID)).toEqual(stored(tenantID))
  await client.$disconnect()
  await database.close()
  await server.stop()
})
