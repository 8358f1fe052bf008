import type { Agent } from "@docket/core/schema"

/** Agents that a person can talk to directly. */
export function primaryAgents(agents: Agent[]): Agent[] {
  return agents.filter((agent) => agent.mode !== "subagent" && !agent.hidden)
}
