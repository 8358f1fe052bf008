import { crashContract } from "../contract/crash-contract.ts"
import { createMemoryStore } from "../store/index.ts"

crashContract(
  "memory",
  async () => {
    const store = createMemoryStore()
    return { store, crash: async () => store, dispose: async () => {} }
  },
  { every: 2 },
)
