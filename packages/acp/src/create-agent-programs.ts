import type { AgentPrograms } from "@docket/core/agent-programs"
import { lazily } from "@docket/core/lazily"
import type { OpenAgentDeps } from "./open-agent.ts"

/** Runs agents that speak the Agent Client Protocol. The code is loaded with the first of them. */
export function createAgentPrograms(deps: OpenAgentDeps): AgentPrograms {
  const load = lazily(() => import("./open-agent.ts"))
  return { open: async (wanted, desk) => (await load()).openAgent(deps, wanted, desk) }
}
