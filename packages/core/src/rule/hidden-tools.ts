import type { PermissionRuleset } from "../schema/permission.ts"
import { matchWildcard } from "./wildcard.ts"

/**
 * The ids of tools that the model is not shown: the last rule for the tool's permission denies every
 * pattern, in the session's own rules or in any ceiling.
 */
export function hiddenTools(
  rules: PermissionRuleset,
  tools: Iterable<{ id: string; permission: string }>,
  ceilings: readonly PermissionRuleset[] = [],
): Set<string> {
  const lists = [rules, ...ceilings]
  const hidden = new Set<string>()
  for (const tool of tools) {
    if (lists.some((list) => isHidden(list, tool.permission))) hidden.add(tool.id)
  }
  return hidden
}

function isHidden(rules: PermissionRuleset, permission: string): boolean {
  const last = rules.findLast((rule) => matchWildcard(rule.permission, permission))
  return last?.pattern === "*" && last.action === "deny"
}
