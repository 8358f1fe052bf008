import { nodesContract } from "../contract/nodes-contract.ts"
import { createInMemoryStore } from "../ground/store/index.ts"

nodesContract("memory", async (count) => {
  const store = createInMemoryStore()
  return Array.from({ length: count }, () => store)
})
