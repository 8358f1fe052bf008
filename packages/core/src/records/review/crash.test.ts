import { reviewCrashContract } from "../../contract/review-crash-contract.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"

reviewCrashContract(
  "memory",
  async () => {
    const store = createInMemoryStore()
    return { store, crash: async () => store, dispose: async () => {} }
  },
  { every: 1 },
)
