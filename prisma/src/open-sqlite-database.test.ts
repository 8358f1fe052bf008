import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TenantDatabase } from "@docket/core/store"
import {
  askedCrashContract,
  clockContract,
  crashContract,
  reviewCrashContract,
  shareCrashContract,
  storeContract,
  tenantContract,
  webhookCrashContract,
} from "@docket/core/store/contract"
import { writeMigratedSqlite } from "../test/migrated-sqlite.ts"
import { openSqliteDatabase } from "./index.ts"

async function open() {
  const directory = await mkdtemp(join(tmpdir(), "docket-sqlite-"))
  const file = join(directory, "docket.db")
  await writeMigratedSqlite(file)
  const database = await openSqliteDatabase({ file, clock: Date.now })
  const dispose = async () => {
    await database.close()
    await rm(directory, { recursive: true })
  }
  return { database, file, dispose }
}

storeContract("sqlite", async () => {
  const { database, dispose } = await open()
  return { store: database.store("local"), dispose }
})

tenantContract("sqlite", async () => ({ ...(await open()), tenants: ["a", "b"] }))

clockContract("sqlite", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-sqlite-"))
  const openFile = () => openSqliteDatabase({ file: join(directory, "docket.db"), clock: Date.now })
  const first = await openFile()
  let database = first
  const reopen = async () => {
    await database.close()
    database = await openFile()
    return database
  }
  const dispose = async () => {
    await database.close()
    await rm(directory, { recursive: true })
  }
  return { database: first, tenantID: "local", reopen, dispose }
})

const openCrashable = async () => {
  const { database, file, dispose } = await open()
  const left = `${file}.left`
  let next: TenantDatabase | undefined
  return {
    store: database.store("local"),
    // The files that a killed process leaves: the WAL is not merged into the database file, and its index is lost.
    async crash() {
      await copyFile(file, left)
      await copyFile(`${file}-wal`, `${left}-wal`)
      next = await openSqliteDatabase({ file: left, clock: Date.now })
      return next.store("local")
    },
    async dispose() {
      await next?.close()
      await dispose()
    },
  }
}

crashContract("sqlite", openCrashable, { every: 4 })
reviewCrashContract("sqlite", openCrashable, { every: 8 })
shareCrashContract("sqlite", openCrashable)
askedCrashContract("sqlite", openCrashable)
webhookCrashContract("sqlite", openCrashable)
