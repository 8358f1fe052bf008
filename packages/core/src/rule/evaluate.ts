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
  let decided: PermissionRule = { permission, pattern: "*", action: "ask" }
  const unknown = pattern === UNKNOWN_PATTERN
  const guarded = permission === "sandbox" || (permission === "edit" && namesConfig(pattern))
  const names = (rule: PermissionRule) =>
    permission === "sandbox" ? rule.permission === permission : namesConfig(rule.pattern)
  let restricted = false
  let naming: PermissionRule = decided
  const [first = [], ...others] = rulesets
  for (const rule of others.length === 0 ? first : rulesets.flat()) {
    if (!matchWildcard(rule.permission, permission)) continue
    const decides = unknown ? rule.pattern === "*" : matchWildcard(rule.pattern, pattern)
    if (decides) {
      decided = rule
      restricted = false
      if (guarded && names(rule)) naming = rule
    } else if (unknown && rule.action !== "allow") {
      restricted = true
    }
  }
  if (guarded && decided.action === "allow") return naming
  if (restricted && decided.action === "allow") return { permission, pattern, action: "ask" }
  return decided
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
  return rulesets
    .map((rules) => evaluatePermission(permission, pattern, rules))
    .reduce((strictest, rule) => (severity[rule.action] > severity[strictest.action] ? rule : strictest))
}
