import type { PermissionReason, PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { namesConfig } from "./config-files.ts"
import { evaluateStrictest, UNKNOWN_PATTERN } from "./evaluate.ts"

/**
 * Why the patterns are asked that neither a rule nor a grant answers.
 * @param rulesets the session's own rules, then those of each session above it
 */
export function askReasons(
  permission: string,
  patterns: readonly string[],
  rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]],
): PermissionReason[] {
  const reasons: PermissionReason[] = []
  for (const pattern of patterns) {
    const reason = reasonOf(permission, pattern, rulesets)
    const same = reasons.find(({ why, rule }) => why === reason.why && rule === reason.rule)
    if (same === undefined) reasons.push({ ...reason, patterns: [pattern] })
    else same.patterns.push(pattern)
  }
  return reasons
}

function reasonOf(
  permission: string,
  pattern: string,
  rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]],
): { why: PermissionReason["why"]; rule?: PermissionRule } {
  const decided = evaluateStrictest(permission, pattern, rulesets)
  // Where no rule decides, the evaluation makes one up, which is in no ruleset.
  const rule = rulesets.some((rules) => rules.includes(decided)) ? { rule: decided } : {}
  if (decided.heldBack) return { why: "unreadable", ...rule }
  if (pattern === UNKNOWN_PATTERN) return { why: "unknown", ...rule }
  if (rule.rule) return { why: "rule", ...rule }
  return { why: permission === "edit" && namesConfig(pattern) ? "configuration" : "unset" }
}
