import { shareCrashContract } from "../../contract/share-crash-contract.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"

shareCrashContract("memory", async () => {
  const store = createInMemoryStore()
  return { store, crash: async () => store, dispose: async () => {} }
})
