import type { Agent } from "../schema/agent.ts"
import type { PermissionRuleset } from "../schema/permission.ts"
import { evaluateStrictest } from "./evaluate.ts"

/** Agents that work can be delegated to: neither primary agents nor hidden ones. */
export function subagents(agents: readonly Agent[]): Agent[] {
  return agents.filter((agent) => agent.mode !== "primary" && !agent.hidden)
}

/**
 * The subagents that a session may start: no ruleset, its own or one of a session above it, denies it a task for them.
 */
export function startableAgents(
  agents: readonly Agent[],
  rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]],
): Agent[] {
  return subagents(agents).filter(({ name }) => evaluateStrictest("task", name, rulesets).action !== "deny")
}

/** The end of a refusal: what there is instead. */
export function choice(startable: readonly Agent[]): string {
  if (startable.length === 0) return "There is none that may be started; do the work yourself."
  return `Use one of: ${startable.map(({ name }) => name).join(", ")}.`
}
