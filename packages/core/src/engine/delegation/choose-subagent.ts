import type { ToolContext } from "../../acts/tool/tool.ts"
import { startableAgents, subagents } from "../../ground/rule/index.ts"
import { choice } from "../../ground/rule/startable-agents.ts"
import type { Agent } from "../../ground/schema/index.ts"
import type { TurnContext } from "../loop/turn-context.ts"

/** Who delegates, with all that decides whom it may start. */
export type Caller = Pick<TurnContext, "agent" | "agents" | "rules" | "ceilings">

export function startableBy({ agents, rules, ceilings }: Caller): Agent[] {
  return startableAgents(agents, [rules, ...ceilings])
}

/** @throws Error that names the agents that the caller may start */
export function chooseSubagent(caller: Caller, name: string): Agent {
  const startable = startableBy(caller)
  const agent = startable.find((candidate) => candidate.name === name)
  if (agent !== undefined) return agent
  const problem = caller.agents.find((candidate) => candidate.name === name)?.problem
  if (problem) throw new Error(problem)
  const isKnown = subagents(caller.agents).some((candidate) => candidate.name === name)
  throw new Error(
    isKnown
      ? `The rules do not let ${caller.agent.name} start "${name}". ${choice(startable)}`
      : `There is no subagent "${name}". ${choice(startable)}`,
  )
}

export function agentList(agents: readonly Agent[]): string {
  return agents.map((agent) => `- ${agent.name}: ${agent.description}`).join("\n")
}

export async function askToDelegate(
  context: Pick<ToolContext, "ask">,
  tool: string,
  agent: Agent,
  description: string,
): Promise<void> {
  await context.ask({
    permission: "task",
    patterns: [agent.name],
    always: [agent.name],
    metadata: { kind: "task", tool, agent: agent.name, description },
  })
}
