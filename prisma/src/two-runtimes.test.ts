import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TenantDatabase } from "@docket/core/store"
import {
  contentsContract,
  nodesContract,
  onceContract,
  peersContract,
  twoRuntimesContract,
  webhooksOnceContract,
} from "@docket/core/store/contract"
import { afterAll, it, onTestFinished } from "vitest"
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

/** Opens one database so many times. */
async function openAll(count: number, open: () => Promise<TenantDatabase>) {
  const tenant = randomUUID()
  const databases = await Promise.all(Array.from({ length: count }, open))
  onTestFinished(async () => {
    for (const database of databases) await database.close()
  })
  return databases.map((database) => database.store(tenant))
}

async function newSqlite() {
  const directory = await mkdtemp(join(tmpdir(), "docket-sqlite-"))
  const file = join(directory, "docket.db")
  await writeMigratedSqlite(file)
  const open = () => openSqliteDatabase({ file, clock: Date.now })
  return { open, remove: () => rm(directory, { recursive: true }) }
}

twoRuntimesContract("sqlite, a connection each", async () => {
  const { open, remove } = await newSqlite()
  return openTwice(open, remove)
})
const openSqlites = async (count: number) => {
  const { open, remove } = await newSqlite()
  onTestFinished(remove)
  return openAll(count, open)
}
contentsContract("sqlite, a connection each", openSqlites)
nodesContract("sqlite, a connection each", openSqlites)
onceContract("sqlite, a connection each", openSqlites)
webhooksOnceContract("sqlite, a connection each", openSqlites)
peersContract("sqlite, a connection each", openSqlites)

const server = await startPostgres()

if (typeof server === "string") {
  console.warn(`PostgreSQL tests are skipped: ${server}`)
  it.skip(`postgres (${server})`, () => {})
} else {
  afterAll(server.stop)
  const open = () => openPostgresDatabase({ url: server.url })
  twoRuntimesContract("postgres", () => openTwice(open))
  contentsContract("postgres", (count) => openAll(count, open))
  nodesContract("postgres", (count) => openAll(count, open))
  onceContract("postgres", (count) => openAll(count, open))
  webhooksOnceContract("postgres", (count) => openAll(count, open))
  peersContract("postgres", (count) => openAll(count, open))
}
