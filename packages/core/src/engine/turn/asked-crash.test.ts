import { askedCrashContract } from "../../contract/asked-crash-contract.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"

askedCrashContract("memory", async () => {
  const store = createInMemoryStore()
  return { store, crash: async () => store, dispose: async () => {} }
})
