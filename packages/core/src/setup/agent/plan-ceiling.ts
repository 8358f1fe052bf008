import { rulesFromConfig } from "../../ground/rule/index.ts"
import type { PermissionRule, PermissionRuleset } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { planAgent, planFiles, planLimits } from "./builtin-agents.ts"
import { ownRules, type ResolveAgentsOptions } from "./resolve-agents.ts"

/**
 * The limits of the plan agent and of agents that work for it. Rules for every agent cannot lift them; only rules for
 * the plan agent can.
 */
export function planCeiling({ agent }: Config, options: ResolveAgentsOptions = {}): PermissionRuleset {
  return [
    { permission: "*", pattern: "*", action: "allow" },
    ...rulesFromConfig(planLimits),
    ...ownRules(agent?.[planAgent], options),
  ]
}

/**
 * The rules of plan mode for one session: only its own plan file, if any, may be edited. Denials of plan mode are
 * marked with the mode.
 * @param ownPlan the path of that file; null when the session has none
 */
export function forOwnPlan(rules: PermissionRuleset, ownPlan: string | null): PermissionRuleset {
  return rules.flatMap((rule): PermissionRuleset => {
    if (isForbidden(rule)) return [{ ...rule, mode: "plan" }]
    if (rule.permission !== "edit" || rule.pattern !== planFiles) return [rule]
    return ownPlan === null ? [] : [{ ...rule, pattern: ownPlan }]
  })
}

const forbidden = rulesFromConfig(planLimits).filter(({ action }) => action === "deny")

function isForbidden({ permission, pattern, action }: PermissionRule): boolean {
  return forbidden.some((limit) => {
    return limit.permission === permission && limit.pattern === pattern && limit.action === action
  })
}
