import { storeContract } from "../contract/index.ts"
import { createMemoryStore } from "./create-memory-store.ts"

storeContract("memory", async () => {
  const store = createMemoryStore()
  return { store, dispose: store.close }
})
