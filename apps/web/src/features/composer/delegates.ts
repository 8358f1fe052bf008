import { startableAgents } from "@docket/core/rule"
import type { Agent } from "@docket/core/schema"

/** The agents that can be mentioned with `@`: those that the answering agent may start. */
export function delegates(agents: Agent[], lead: string): Agent[] {
  const rules = agents.find((agent) => agent.name === lead)?.permission ?? []
  return startableAgents(agents, [rules])
}
