import type { Agent } from "@docket/core/schema"

/** Agents that a user can prompt directly. */
export function primaryAgents(agents: Agent[]): Agent[] {
  return agents.filter((agent) => agent.mode !== "subagent" && !agent.hidden)
}
