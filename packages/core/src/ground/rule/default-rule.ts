import type { PermissionRule } from "../schema/permission.ts"

const marked = new WeakSet<PermissionRule>()

/** Marks a rule of Docket itself. */
export function asDefault(rule: PermissionRule): PermissionRule {
  marked.add(rule)
  return rule
}

/** Whether nobody wrote the rule: it is one of Docket's own, or stands for none. A copy of it no longer counts. */
export function isDefaultRule(rule: PermissionRule): boolean {
  return marked.has(rule)
}
