import { contentsContract } from "../contract/contents-contract.ts"
import { nodesContract, type OpenStores } from "../contract/nodes-contract.ts"
import { onceContract } from "../contract/once-contract.ts"
import { peersContract } from "../contract/peers-contract.ts"
import { webhooksOnceContract } from "../contract/webhooks-once-contract.ts"
import { createInMemoryStore } from "../ground/store/index.ts"

const openStores: OpenStores = async (count) => {
  const store = createInMemoryStore()
  return Array.from({ length: count }, () => store)
}
contentsContract("memory", openStores)
nodesContract("memory", openStores)
onceContract("memory", openStores)
peersContract("memory", openStores)
webhooksOnceContract("memory", openStores)
