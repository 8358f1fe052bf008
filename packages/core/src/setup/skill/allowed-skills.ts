import { evaluateStrictest } from "../../ground/rule/index.ts"
import type { PermissionRuleset } from "../../ground/schema/permission.ts"
import type { Skill } from "./skill.ts"

/** The skills that an agent is offered: no ruleset, its own or one above it, denies them. */
export function allowedSkills(
  skills: readonly Skill[],
  rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]],
): Skill[] {
  return skills.filter(({ name, offered }) => offered && evaluateStrictest("skill", name, rulesets).action !== "deny")
}
