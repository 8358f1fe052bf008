import type { Agent, PermissionRule } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { ownRules, rulesOf } from "./resolve-agents.ts"

/** A rule with the file that sets it; null for Docket's own rules. */
export interface ExplainedRule extends PermissionRule {
  from: string | null
}

/** An agent for display: its identity, its permissions, and the files they come from. */
export interface ExplainedAgent extends Pick<Agent, "name" | "description" | "mode" | "native" | "model" | "problem"> {
  /** Files that define or change the agent, lowest priority first. */
  from: string[]
  /** In order; the last match decides. Rules that a later one overrides completely are left out. */
  rules: ExplainedRule[]
}

/** A configuration file in force. */
export interface RuleSource {
  file: string
  config: Config
}

/** The sources of rules: the files that count, lowest priority first, and the home directory for `~/` in patterns. */
export interface ExplainedFrom {
  sources: readonly RuleSource[]
  home: string
}

/** Explains the agents offered to users and models, with the files that define them. */
export function explainAgents(agents: readonly Agent[], from: ExplainedFrom): ExplainedAgent[] {
  return agents.filter(({ hidden, problem }) => !hidden || problem !== null).map((agent) => explainAgent(agent, from))
}

export function explainAgent(agent: Agent, { sources, home }: ExplainedFrom): ExplainedAgent {
  const { name, description, mode, native, model, problem } = agent
  const from = sources.filter(({ config }) => config.agent?.[name] !== undefined).map(({ file }) => file)
  const rules = deciding(agent.permission).map((rule) => ({
    ...rule,
    from: sourceOf(rule, name, { sources, home }),
  }))
  return { name, description, mode, native, model, problem, from, rules }
}

/** Leaves out rules that a later rule overrides completely. */
function deciding(rules: readonly PermissionRule[]): PermissionRule[] {
  return rules.filter(({ permission, pattern }, at) => {
    return !rules.slice(at + 1).some((later) => {
      if (later.permission !== permission && later.permission !== "*") return false
      return later.pattern === "*" || (later.permission === permission && later.pattern === pattern)
    })
  })
}

/** The file with the highest priority that has the rule, for this agent or else for every agent. */
export function sourceOf(rule: PermissionRule, agent: string, { sources, home }: ExplainedFrom): string | null {
  const own = sources.findLast(({ config }) => has(rule, ownRules(config.agent?.[agent], { home })))
  const everyone = sources.findLast(({ config }) => has(rule, rulesOf(config.permission, { home })))
  return (own ?? everyone)?.file ?? null
}

function has(rule: PermissionRule, rules: readonly PermissionRule[]): boolean {
  return rules.some(({ permission, pattern, action }) => {
    return permission === rule.permission && pattern === rule.pattern && action === rule.action
  })
}
