import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { storeContract, tenantContract } from "@docket/core/store/contract"
import { createSqliteStore } from "./index.ts"

storeContract("sqlite", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-sqlite-"))
  const store = await createSqliteStore({ file: join(directory, "docket.db"), tenantID: "local", clock: Date.now })
  return {
    store,
    async dispose() {
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
})

tenantContract("sqlite", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-sqlite-"))
  const open = (tenantID: string) =>
    createSqliteStore({ file: join(directory, "docket.db"), tenantID, clock: Date.now })
  const [a, b] = [await open("a"), await open("b")]
  return {
    stores: [a, b],
    async dispose() {
      await a.close()
      await b.close()
      await rm(directory, { recursive: true })
    },
  }
})
