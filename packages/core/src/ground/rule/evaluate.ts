import type { PermissionAction, PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { allowsReadOf } from "./command-reads.ts"
import { namesConfig } from "./config-files.ts"
import { asDefault } from "./default-rule.ts"
import { matchAddress } from "./match-address.ts"
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
 * A request for {@link UNKNOWN_PATTERN} could be any pattern. The last rule for `*` decides then, but where a later
 * rule restricts some patterns the answer is `ask`, never `allow`.
 *
 * An edit of Docket's configuration is only allowed by a rule that names it (see {@link namesConfig}); where another
 * would allow it, the last one that names it decides, else `ask`. A command outside the sandbox, too, is only allowed
 * by a rule for `sandbox` itself: a rule that allows everything is about commands in the sandbox.
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
    matchWildcard(rule.permission, permission) && matchPattern(permission, rule.pattern, pattern)
  const unset = asDefault({ permission, pattern: "*", action: "ask" })
  const decided = rules.findLast(matches) ?? unset
  if (decided.action !== "allow") return decided
  if (permission === "sandbox")
    return rules.findLast((rule) => rule.permission === permission && matches(rule)) ?? unset
  if (permission !== "edit" || !namesConfig(pattern)) return decided
  return rules.findLast((rule) => namesConfig(rule.pattern) && matches(rule)) ?? unset
}

/** Whether the pattern of a rule or a grant matches what a request asks for. */
function matchPattern(permission: string, pattern: string, asked: string): boolean {
  return permission === "webfetch" ? matchAddress(pattern, asked) : matchWildcard(pattern, asked)
}

function evaluateUnknown(permission: string, rules: PermissionRuleset): PermissionRule {
  const unset = asDefault({ permission, pattern: "*", action: "ask" })
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
function strictestOf(decided: readonly PermissionRule[]): PermissionRule {
  return decided.reduce((strictest, rule) => (severity[rule.action] > severity[strictest.action] ? rule : strictest))
}

/** A permission that the user gave with "always". */
export interface Grant {
  permission: string
  pattern: string
  /** Where it was given, when not in this tree of sessions. */
  from?: "project" | "everywhere" | "preset"
}

export interface PermissionQuestion {
  permission: string
  patterns: string[]
  /** The patterns with words that are known only when the command runs. */
  unknown?: readonly string[] | undefined
  /** The command that would read these files: grants for this command count, too. */
  command?: string | undefined
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above; none may be exceeded. */
  ceilings?: readonly PermissionRuleset[]
  grants: readonly Grant[]
}

export type PermissionVerdict =
  | { action: "allow" }
  | { action: "deny"; rule: PermissionRule; pattern: string }
  /** The patterns that neither a rule nor a grant answers. */
  | { action: "ask"; patterns: string[] }

/**
 * Judges a request pattern by pattern. One denied pattern denies the whole request, whatever was granted; a grant only
 * answers what would otherwise be asked, and one for configuration has to name it. What is unknown is asked each time,
 * unless `*` was granted; a preset grants it, and what has unknown words, only where no rule denies anything.
 */
export function evaluateRequest(question: PermissionQuestion): PermissionVerdict {
  const { permission, rules, ceilings = [] } = question
  // Most rules speak of other permissions: they are looked at once, not once for each pattern.
  const concerns = (one: { permission: string }) => matchWildcard(one.permission, permission)
  const lists = [rules, ...ceilings].map((list) => list.filter(concerns))
  const grants = question.grants.filter(concerns)
  const open: string[] = []
  for (const pattern of new Set(question.patterns)) {
    const decided = lists.map((list) => evaluatePermission(permission, pattern, list))
    const rule = strictestOf(decided)
    if (rule.action === "deny") return { action: "deny", rule, pattern }
    if (rule.action === "allow") continue
    const usable = usableGrants(grants, decided)
    const isUnknown = pattern === UNKNOWN_PATTERN || question.unknown?.includes(pattern)
    const mayBeDenied = isUnknown && lists.some(deniesSome)
    const answering = mayBeDenied ? usable.filter(({ from }) => from !== "preset") : usable
    if (isGranted(permission, pattern, answering) || mayRead(question.command, pattern, answering)) continue
    open.push(pattern)
  }
  return open.length === 0 ? { action: "allow" } : { action: "ask", patterns: open }
}

/** Whether a ruleset denies something and no later rule for `*` allows it again: an unknown pattern may be that. */
function deniesSome(rules: PermissionRuleset): boolean {
  const all = rules.findLastIndex(({ pattern }) => pattern === UNKNOWN_PATTERN)
  return rules.slice(all + 1).some(({ action }) => action === "deny")
}

/**
 * The grants that may answer for a pattern on which the rulesets have decided. Where unreadable configuration may have
 * denied it, only grants of this tree do; where a project without trust asks, presets and grants for every project do
 * not.
 */
function usableGrants(grants: readonly Grant[], decided: readonly PermissionRule[]): readonly Grant[] {
  const asks = decided.filter(({ action }) => action === "ask")
  if (asks.some(({ heldBack }) => heldBack)) return grants.filter(({ from }) => from === undefined)
  if (asks.some(({ untrusted }) => untrusted))
    return grants.filter(({ from }) => from === undefined || from === "project")
  return grants
}

/** Whether a grant lets this command read a file. */
function mayRead(command: string | undefined, file: string, grants: readonly Grant[]): boolean {
  return command !== undefined && grants.some(({ pattern }) => allowsReadOf(pattern, { command, file }))
}

/** @param grants those for the permission */
function isGranted(permission: string, pattern: string, grants: readonly Grant[]): boolean {
  if (pattern === UNKNOWN_PATTERN) return grants.some((grant) => grant.pattern === "*")
  const guarded = permission === "edit" && namesConfig(pattern)
  return grants.some(
    (grant) => matchPattern(permission, grant.pattern, pattern) && (!guarded || namesConfig(grant.pattern)),
  )
}

/**
 * Rules for this name limit a shell to commands that are known to change no file. Others are refused, never asked for.
 */
export const changePermission = "bash_change"

/**
 * The first of the commands that some ruleset refuses because it may change something. Only rules of that very name
 * count: a rule that denies everything is about tools.
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
