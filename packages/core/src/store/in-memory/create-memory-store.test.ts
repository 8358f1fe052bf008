import { storeContract, tenantContract } from "../../contract/index.ts"
import { createMemoryDatabase } from "./create-memory-database.ts"
import { createMemoryStore } from "./create-memory-store.ts"

storeContract("memory", async () => {
  const store = createMemoryStore()
  return { store, dispose: store.close }
})

tenantContract("memory", async () => {
  const database = createMemoryDatabase()
  return { database, tenants: ["a", "b"], dispose: database.close }
})
