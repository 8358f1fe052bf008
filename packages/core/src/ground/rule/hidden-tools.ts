import type { PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { matchWildcard } from "./wildcard.ts"

/**
 * The ids of tools that the model is not shown: the last rule for the tool's permission denies every pattern, in the
 * session's own rules or in those of a session above it (`ceilings`).
 */
export function hiddenTools(
  rules: PermissionRuleset,
  tools: Iterable<{ id: string; permission: string }>,
  ceilings: readonly PermissionRuleset[] = [],
): Set<string> {
  const lists = [rules, ...ceilings]
  const hidden = new Set<string>()
  for (const tool of tools) {
    if (hidingRules(tool.permission, lists).length > 0) hidden.add(tool.id)
  }
  return hidden
}

/** The rules that hide the tools of a permission from a model, at most one of each list. */
export function hidingRules(permission: string, lists: readonly PermissionRuleset[]): PermissionRule[] {
  return lists.flatMap((rules) => {
    const last = rules.findLast((rule) => matchWildcard(rule.permission, permission))
    return last?.pattern === "*" && last.action === "deny" ? [last] : []
  })
}
