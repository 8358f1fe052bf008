import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { storeContract, tenantContract } from "@docket/core/store/contract"
import { openSqliteDatabase } from "./index.ts"

async function open() {
  const directory = await mkdtemp(join(tmpdir(), "docket-sqlite-"))
  const database = await openSqliteDatabase({ file: join(directory, "docket.db"), clock: Date.now })
  const dispose = async () => {
    await database.close()
    await rm(directory, { recursive: true })
  }
  return { database, dispose }
}

storeContract("sqlite", async () => {
  const { database, dispose } = await open()
  return { store: database.store("local"), dispose }
})

tenantContract("sqlite", async () => ({ ...(await open()), tenants: ["a", "b"] }))
