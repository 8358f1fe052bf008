import type { PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { evaluatePermission } from "./evaluate.ts"

/** By rules for this name a shell runs only commands that are known to change no file: it is refused, and never asked for. */
export const changePermission = "bash_change"

/**
 * The first of the commands that some ruleset refuses because it may change something. Only rules of that very name
 * count: what denies everything speaks of tools.
 */
export function refusedChange(
  commands: readonly string[],
  rulesets: readonly PermissionRuleset[],
): { command: string; rule: PermissionRule } | null {
  for (const rules of rulesets) {
    const naming = rules.filter(({ permission }) => permission === changePermission)
    for (const command of commands) {
      const rule = evaluatePermission(changePermission, command, naming)
      if (rule.action === "deny") return { command, rule }
    }
  }
  return null
}
