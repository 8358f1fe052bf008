import type { PermissionAsk } from "../../acts/permission/judge.ts"
import { changePermission, evaluatePermission, refusedChange } from "../../ground/rule/index.ts"
import type { PermissionAction, PermissionRule, PermissionRuleset } from "../../ground/schema/index.ts"

/** Rules that an act must pass, and whose they are. */
export interface RuleHolder {
  /** The agent's own; those of the one that delegates to it; or a configuration that sets a limit for the agent. */
  of: "agent" | "caller" | "configuration"
  agent: string
  rules: PermissionRuleset
}

/** One thing that a tool asks leave for, and what decides it. */
export interface JudgedPattern {
  permission: string
  pattern: string
  action: PermissionAction
  /** Whose rules decide. */
  of: RuleHolder["of"]
  agent: string
  /** Null where no rule matches, and where one that allows does not reach so far. */
  rule: PermissionRule | null
  /** The file that sets the rule; null for Docket's own, and where that is not known. */
  from: string | null
}

export interface JudgedAct {
  /** Of all patterns: one that is denied denies the act, one that asks asks for it. */
  action: PermissionAction
  patterns: JudgedPattern[]
  /** Why no rule can allow it, in the words of the tool; null else. */
  refused: string | null
}

const order: readonly PermissionAction[] = ["allow", "ask", "deny"]

/** What would come of asks: by the strictest of the holders, as for a call. What people allowed with "always" is left out. */
export function judgeAsks(
  asks: readonly PermissionAsk[],
  holders: readonly [RuleHolder, ...RuleHolder[]],
  sourceOf: (rule: PermissionRule, agent: string) => string | null,
): Omit<JudgedAct, "refused"> {
  const patterns = asks.flatMap(({ permission, patterns: asked }) => {
    const each = [...new Set(asked)]
    if (permission !== changePermission) {
      return each.map((pattern) => judgePattern(permission, pattern, holders, sourceOf))
    }
    // What may change something is told where it is refused; by the very rules that refuse it.
    const [first, ...others] = holders
    const naming: typeof holders = [namingChanges(first), ...others.map(namingChanges)]
    const refused = each.filter(
      (pattern) =>
        refusedChange(
          [pattern],
          naming.map(({ rules }) => rules),
        ) !== null,
    )
    return refused.map((pattern) => judgePattern(permission, pattern, naming, sourceOf))
  })
  return { action: strictest(patterns.map(({ action }) => action)), patterns }
}

function namingChanges(holder: RuleHolder): RuleHolder {
  return { ...holder, rules: holder.rules.filter(({ permission }) => permission === changePermission) }
}

function judgePattern(
  permission: string,
  pattern: string,
  holders: readonly [RuleHolder, ...RuleHolder[]],
  sourceOf: (rule: PermissionRule, agent: string) => string | null,
): JudgedPattern {
  const said = holders.map((holder) => ({ holder, rule: evaluatePermission(permission, pattern, holder.rules) }))
  const action = strictest(said.map(({ rule }) => rule.action))
  const { holder, rule } = said.find((one) => one.rule.action === action) ?? {
    holder: holders[0],
    rule: { permission, pattern, action },
  }
  // Where no rule decides, the evaluation makes up one.
  const named = holder.rules.includes(rule) ? rule : null
  const from = named === null ? null : sourceOf(named, holder.agent)
  return { permission, pattern, action, of: holder.of, agent: holder.agent, rule: named, from }
}

function strictest(actions: readonly PermissionAction[]): PermissionAction {
  return order.findLast((action) => actions.includes(action)) ?? "allow"
}
