import { startableAgents } from "@docket/core/rule"
import type { Agent } from "@docket/core/schema"

/** The agents that `@` can hand work to: those that the one who answers may start. */
export function delegates(agents: Agent[], lead: string): Agent[] {
  const rules = agents.find((agent) => agent.name === lead)?.permission ?? []
  return startableAgents(agents, [rules])
}
