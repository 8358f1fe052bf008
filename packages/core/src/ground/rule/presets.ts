import type { ChosenPreset, PermissionPreset, PermissionRule, PermissionRuleset } from "../schema/permission.ts"
import { evaluateStrictest, type Grant, UNKNOWN_PATTERN } from "./evaluate.ts"
import { rulesFromConfig } from "./rules.ts"

/**
 * Permissions of tools that only read the project or keep the agent's own notes. Other places (`external_directory`)
 * are left to the rules.
 */
const harmless = {
  external_directory: "allow",
  read: "allow",
  list: "allow",
  glob: "allow",
  grep: "allow",
  todoread: "allow",
  todowrite: "allow",
  memory: "allow",
  skill: "allow",
  question: "allow",
  batch: "allow",
  plan_enter: "allow",
  plan_exit: "allow",
} as const

/** The ceiling of a session under a preset; null when only the rules limit the session. */
const ceilings: Record<PermissionPreset, PermissionRuleset | null> = {
  ask: rulesFromConfig({ "*": "ask", ...harmless }),
  edit: rulesFromConfig({ "*": "ask", ...harmless, task: "allow", edit: "allow" }),
  plan: rulesFromConfig({
    "*": "ask",
    ...harmless,
    task: "allow",
    edit: { "*": "deny", ".docket/plans/*.md": "allow" },
    // Only commands that are known to change nothing; the rules say which of these are asked for.
    bash: "allow",
    bash_change: "deny",
    sandbox: "deny",
  }),
  sandbox: null,
}

/** Permissions for which a preset answers what rules leave to ask. */
const lifted: Record<PermissionPreset, readonly string[]> = {
  ask: [],
  edit: ["edit"],
  plan: [],
  sandbox: ["edit", "bash"],
}

export interface PresetRules {
  ceilings: PermissionRuleset[]
  lifts: Grant[]
}

/**
 * The rules of the presets of a session and of those above it, the nearest first: each is a ceiling, and only what all
 * of them lift is lifted. So a session below can be stricter than the one above, never freer.
 */
export function presetRules(line: readonly { preset?: ChosenPreset | null | undefined }[]): PresetRules {
  const names = line.flatMap(({ preset }) => preset?.name ?? [])
  const [first, ...others] = names
  const lifts = (first === undefined ? [] : lifted[first]).filter((permission) =>
    others.every((name) => lifted[name].includes(permission)),
  )
  return {
    ceilings: names.flatMap((preset) => {
      const rules = ceilings[preset]
      return rules === null ? [] : [rules.map((rule): PermissionRule => ({ ...rule, preset }))]
    }),
    lifts: lifts.map((permission) => ({ permission, pattern: "*", from: "preset" })),
  }
}

/**
 * The lifts that count for a command. It runs unasked only if the sandbox certainly confines it, and only for an agent
 * that may change files, since a command may change some.
 */
export function liftsForCommand(
  lifts: readonly Grant[],
  { isConfined, rulesets }: { isConfined: boolean; rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]] },
): Grant[] {
  const mayChange = evaluateStrictest("edit", UNKNOWN_PATTERN, rulesets).action !== "deny"
  return lifts.filter(({ permission }) => permission !== "bash" || (isConfined && mayChange))
}
