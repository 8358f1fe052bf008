import { crashContract } from "../../contract/crash-contract.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"

crashContract(
  "memory",
  async () => {
    const store = createInMemoryStore()
    return { store, crash: async () => store, dispose: async () => {} }
  },
  { every: 2 },
)
