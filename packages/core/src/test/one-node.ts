import { createIdSource } from "../ground/id/create-id.ts"
import type { TenantDatabase } from "../ground/store/index.ts"
import { createNodeService, type NodeService } from "../records/node/node-service.ts"

/** The nodes of a service that is one process. */
export function oneNode(database: TenantDatabase): NodeService {
  const here = { id: createIdSource()("node"), version: "1.2.3", pid: process.pid, host: "workshop", started: 1_000 }
  return createNodeService({ database, firstID: "local", here })
}
