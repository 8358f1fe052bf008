import { createIdSource } from "../ground/id/create-id.ts"
import type { TenantDatabase } from "../ground/store/index.ts"
import { createNodeService, type NodeService } from "../records/node/node-service.ts"

/** The nodes of a service that is one process. */
export function oneNode(database: TenantDatabase): NodeService {
  const use = () => ({ memory: 1, processors: 0, lag: null })
  const here = { id: createIdSource()("node"), version: "1.2.3", pid: 7, host: "workshop", started: 1_000, use }
  return createNodeService({ database, firstID: "local", here })
}
