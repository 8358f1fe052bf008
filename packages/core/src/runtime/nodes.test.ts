import { nodesContract } from "../contract/nodes-contract.ts"
import { onceContract } from "../contract/once-contract.ts"
import { webhooksOnceContract } from "../contract/webhooks-once-contract.ts"
import { createInMemoryStore } from "../ground/store/index.ts"

const open = async (count: number) => {
  const store = createInMemoryStore()
  return Array.from({ length: count }, () => store)
}

nodesContract("memory", open)
onceContract("memory", open)
webhooksOnceContract("memory", open)
