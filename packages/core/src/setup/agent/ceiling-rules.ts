import { configNames } from "../../ground/rule/config-files.ts"
import type { PermissionRule, PermissionRuleset } from "../../ground/schema/index.ts"
import type { ConfigCeiling } from "../config/config-report.ts"
import { ownRules, type ResolveAgentsOptions, rulesOf } from "./resolve-agents.ts"

const allow = (permission: string, pattern: string): PermissionRule => ({ permission, pattern, action: "allow" })

/**
 * A ceiling restricts only what it names, so everything else is allowed here, even what usually needs a rule of its own
 * (Docket's configuration and leaving the sandbox). The agent's own rules protect these.
 */
const allowAll: PermissionRuleset = [
  allow("*", "*"),
  allow("sandbox", "*"),
  ...configNames
    .flatMap((name) => [name, `*/${name}`, `${name}/*`, `*/${name}/*`])
    .map((pattern) => allow("edit", pattern)),
]

/** The rules that an agent may not exceed because of a ceiling: first those for everyone, then those for this agent. */
export function ceilingRules(
  { rules, only }: ConfigCeiling,
  agent: string,
  options: ResolveAgentsOptions = {},
): PermissionRuleset {
  const named = [...rulesOf(rules.permission, options), ...ownRules(rules.agent?.[agent], options)]
  if (only === "all") return [...allowAll, ...named.map((rule) => ({ ...rule, untrusted: true as const }))]
  return [...allowAll, ...named.map((rule) => (rule.action === "deny" ? rule : { ...rule, action: "allow" as const }))]
}
