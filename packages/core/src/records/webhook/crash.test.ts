import { webhookCrashContract } from "../../contract/webhook-crash-contract.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"

webhookCrashContract("memory", async () => {
  const store = createInMemoryStore()
  return { store, crash: async () => store, dispose: async () => {} }
})
