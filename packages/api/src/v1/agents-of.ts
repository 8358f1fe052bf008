import type { AgentUseCases } from "@docket/core"
import type { V1Context } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"

/**
 * The use cases of the tenant's agents. @throws V1Error 404 for a tenant without agents: whatever the request names
 * is not its own
 */
export function agentsOf({ var: { tenant } }: Pick<V1Context, "var">): AgentUseCases {
  if (tenant.agents === null) throw new V1Error(404, "not found")
  return tenant.agents
}
