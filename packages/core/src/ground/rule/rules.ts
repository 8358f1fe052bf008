import type { PermissionConfig, PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { asDefault } from "./default-rule.ts"

/**
 * The rules that a config entry stands for, in its order. `"allow"` alone is a rule for everything; an
 * action under a permission is a rule for every pattern of it.
 *
 * `home` replaces a leading `~/` or `$HOME/` of a pattern.
 */
export function rulesFromConfig(config: PermissionConfig, options: { home?: string } = {}): PermissionRuleset {
  if (typeof config === "string") return [{ permission: "*", pattern: "*", action: config }]
  return Object.entries(config).flatMap(([permission, value]): PermissionRule[] => {
    if (typeof value === "string") return [{ permission, pattern: "*", action: value }]
    return Object.entries(value).map(([pattern, action]) => ({
      permission,
      pattern: expandHome(pattern, options.home),
      action,
    }))
  })
}

function expandHome(pattern: string, home: string | undefined): string {
  if (home === undefined) return pattern
  return pattern.replace(/^(?:~|\$HOME)(?=\/|$)/, () => home)
}

/** Joins lists of rules. Later lists override earlier ones, because the last match wins. */
export function mergeRules(...rulesets: PermissionRuleset[]): PermissionRuleset {
  return rulesets.flat()
}

/**
 * The default rules. They ask for a repeated identical call, commands outside the sandbox, files outside the worktree,
 * files with secrets, pages and searches on the web. Questions and changes of plan mode are denied, so an agent needs rules of its own for them.
 * Everything else is allowed.
 *
 * `externalDirectories` are absolute directories outside the worktree that need no question (a temporary
 * directory, say).
 */
export function defaultRules(externalDirectories: string[] = []): PermissionRuleset {
  return [
    ...rulesFromConfig({
      "*": "allow",
      doom_loop: "ask",
      external_directory: "ask",
      sandbox: "ask",
      acp: "ask",
      webfetch: "ask",
      websearch: "ask",
      question: "deny",
      plan_enter: "deny",
      plan_exit: "deny",
      read: { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" },
    }),
    ...externalDirectories.map(
      (directory): PermissionRule => ({
        permission: "external_directory",
        pattern: `${directory.replace(/\/+$/, "")}/*`,
        action: "allow",
      }),
    ),
  ].map(asDefault)
}
