import { defaultRules, evaluateRequest, mergeRules } from "../../ground/rule/index.ts"
import type { PermissionRuleset } from "../../ground/schema/index.ts"
import type { LoadedConfig } from "../config/loaded-config.ts"
import { ceilingRules } from "./ceiling-rules.ts"
import { rulesOf } from "./resolve-agents.ts"

/** The rules of a project that hold for every agent. */
export interface RulesForAll {
  rules: PermissionRuleset
  ceilings: PermissionRuleset[]
}

/** No agent has this name, so that only rules for all count. */
const everyAgent = ""

export function rulesForAll(
  { config, ceilings }: Pick<LoadedConfig, "config" | "ceilings">,
  { home }: { home: string },
): RulesForAll {
  return {
    rules: mergeRules(defaultRules(), rulesOf(config.permission, { home })),
    ceilings: ceilings.map((ceiling) => ceilingRules(ceiling, everyAgent, { home })),
  }
}

/** Whether every agent may read a file (relative to the worktree, with `/`) without asking. */
export function isOpenToAll(name: string, { rules, ceilings }: RulesForAll): boolean {
  return (
    evaluateRequest({ permission: "read", command: "", patterns: [name], rules, ceilings, grants: [] }).action ===
    "allow"
  )
}
