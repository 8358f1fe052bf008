import type { PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { allowsReadOf } from "./command-reads.ts"
import { namesConfig } from "./config-files.ts"
import { evaluatePermission, strictestOf, UNKNOWN_PATTERN } from "./evaluate.ts"
import { matchWildcard } from "./wildcard.ts"

/** What the user allowed with "always". */
export interface Grant {
  permission: string
  pattern: string
  /** Where it was given, when not in this tree of sessions. */
  from?: "project" | "everywhere" | "preset"
}

export interface PermissionQuestion {
  permission: string
  patterns: string[]
  /** Those of the patterns some of whose words are known only when it runs. */
  unknown?: readonly string[] | undefined
  /** The command that would read these files: what it was allowed for good counts, too. */
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
 * Judges a request pattern by pattern. One denied pattern denies the whole request, whatever was granted;
 * a grant only answers what would otherwise be asked, and one for
 * configuration has to name it. What is unknown is asked each time, unless `*` was granted; a preset grants it, and what
 * has unknown words, only where no rule denies anything.
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
    const counting = countingGrants(grants, decided)
    const isOpen = pattern === UNKNOWN_PATTERN || question.unknown?.includes(pattern)
    const mayBeDenied = isOpen && lists.some(deniesSome)
    const answering = mayBeDenied ? counting.filter(({ from }) => from !== "preset") : counting
    if (isGranted(permission, pattern, answering) || mayRead(question.command, pattern, answering)) continue
    open.push(pattern)
  }
  return open.length === 0 ? { action: "allow" } : { action: "ask", patterns: open }
}

/** Whether a ruleset denies something that no later rule allows with all else: what is unknown may be that. */
function deniesSome(rules: PermissionRuleset): boolean {
  const all = rules.findLastIndex(({ pattern }) => pattern === UNKNOWN_PATTERN)
  return rules.slice(all + 1).some(({ action }) => action === "deny")
}

/**
 * The grants that may answer for a pattern on which the rulesets have decided. What was given elsewhere answers nothing
 * that unreadable configuration may have denied; what was given for every project or chosen as a preset, nothing that
 * asks in a project without trust.
 */
function countingGrants(grants: readonly Grant[], decided: readonly PermissionRule[]): readonly Grant[] {
  const asks = decided.filter(({ action }) => action === "ask")
  if (asks.some(({ heldBack }) => heldBack)) return grants.filter(({ from }) => from === undefined)
  if (asks.some(({ untrusted }) => untrusted))
    return grants.filter(({ from }) => from === undefined || from === "project")
  return grants
}

/** Whether a command was allowed to read a file, whoever else may. */
function mayRead(command: string | undefined, file: string, grants: readonly Grant[]): boolean {
  return command !== undefined && grants.some(({ pattern }) => allowsReadOf(pattern, { command, file }))
}

/** @param grants those for the permission */
function isGranted(permission: string, pattern: string, grants: readonly Grant[]): boolean {
  if (pattern === UNKNOWN_PATTERN) return grants.some((grant) => grant.pattern === "*")
  const guarded = permission === "edit" && namesConfig(pattern)
  return grants.some((grant) => matchWildcard(grant.pattern, pattern) && (!guarded || namesConfig(grant.pattern)))
}
