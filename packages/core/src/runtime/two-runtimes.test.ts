import { twoRuntimesContract } from "../contract/two-runtimes-contract.ts"
import { createInMemoryStore } from "../ground/store/index.ts"

twoRuntimesContract("memory", async () => {
  const store = createInMemoryStore()
  return { one: store, other: store, dispose: async () => {} }
})
