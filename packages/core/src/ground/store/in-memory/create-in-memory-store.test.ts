import { storeContract, tenantContract } from "../../../contract/index.ts"
import { createInMemoryDatabase } from "./create-in-memory-database.ts"
import { createInMemoryStore } from "./create-in-memory-store.ts"

storeContract("memory", async () => {
  const store = createInMemoryStore()
  return { store, dispose: store.close }
})

tenantContract("memory", async () => {
  const database = createInMemoryDatabase()
  return { database, tenants: ["a", "b"], dispose: database.close }
})
