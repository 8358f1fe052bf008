import type { PermissionAction, PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { namesConfig } from "./config-files.ts"
import { matchWildcard } from "./wildcard.ts"

/**
 * The pattern of a request that may turn out to be anything: a command that cannot be understood, a target
 * that is computed at run time.
 */
export const UNKNOWN_PATTERN = "*"

const severity: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }

/**
 * The rule that decides: the last one that matches in the given order, or `ask` when none does.
 *
 * A request for {@link UNKNOWN_PATTERN} could be any pattern. The last rule for `*` decides then, but where
 * a later rule restricts some patterns the answer is `ask`, never `allow`.
 *
 * An edit of Docket's configuration is only allowed by a rule that names it (see {@link namesConfig}); where another
 * would allow it, the last one that names it decides, else `ask`. So is a command outside the sandbox only by a rule for
 * `sandbox` itself: what allows everything was said of what the sandbox holds.
 */
export function evaluatePermission(
  permission: string,
  pattern: string,
  ...rulesets: PermissionRuleset[]
): PermissionRule {
  const [first = [], ...others] = rulesets
  const rules = others.length === 0 ? first : rulesets.flat()
  if (pattern === UNKNOWN_PATTERN) return evaluateUnknown(permission, rules)
  const matches = (rule: PermissionRule) =>
    matchWildcard(rule.permission, permission) && matchWildcard(rule.pattern, pattern)
  const unset: PermissionRule = { permission, pattern: "*", action: "ask" }
  const decided = rules.findLast(matches) ?? unset
  if (decided.action !== "allow") return decided
  if (permission === "sandbox")
    return rules.findLast((rule) => rule.permission === permission && matches(rule)) ?? unset
  if (permission !== "edit" || !namesConfig(pattern)) return decided
  return rules.findLast((rule) => namesConfig(rule.pattern) && matches(rule)) ?? unset
}

function evaluateUnknown(permission: string, rules: PermissionRuleset): PermissionRule {
  const unset: PermissionRule = { permission, pattern: "*", action: "ask" }
  const concerns = (rule: PermissionRule) => matchWildcard(rule.permission, permission)
  const decides = (rule: PermissionRule) => rule.pattern === "*" && concerns(rule)
  let at = rules.findLastIndex(decides)
  if (rules[at]?.action !== "allow") return rules[at] ?? unset
  if (permission === "sandbox") at = rules.findLastIndex((rule) => rule.permission === permission && decides(rule))
  const decided = rules[at]
  if (decided?.action !== "allow") return decided ?? unset
  const isRestricted = rules.slice(at + 1).some((rule) => rule.action !== "allow" && !decides(rule) && concerns(rule))
  return isRestricted ? unset : decided
}

/**
 * The strictest answer of several independent rulesets: a deny of any wins, then an ask of any. A child
 * session is judged by its own rules and by those of every session above it, so it never gets more rights
 * than its parent.
 */
export function evaluateStrictest(
  permission: string,
  pattern: string,
  rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]],
): PermissionRule {
  return strictestOf(rulesets.map((rules) => evaluatePermission(permission, pattern, rules)))
}

/** The first of those that are as strict as any; there is one at least. */
export function strictestOf(decided: readonly PermissionRule[]): PermissionRule {
  return decided.reduce((strictest, rule) => (severity[rule.action] > severity[strictest.action] ? rule : strictest))
}
