import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { storeContract } from "@docket/core/store/contract"
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
