import fc from "fast-check"
import { expect, test } from "vitest"
import { PermissionPreset, type PermissionRule } from "../schema/permission.ts"
import { evaluateRequest } from "./evaluate.ts"
import { nextPreset, presets } from "./preset-labels.ts"
import { liftsForCommand, presetRules } from "./presets.ts"
import { defaultRules, mergeRules, rulesFromConfig } from "./rules.ts"

const chosen = (name: PermissionPreset) => ({ preset: { name, at: 1 } })
const noneChosen = { preset: null }

/** What an agent under presets, the nearest first, may do by these rules. */
function judged(
  names: (PermissionPreset | null)[],
  [permission, pattern]: [string, string],
  { rules = defaultRules(), isConfined = true }: { rules?: PermissionRule[]; isConfined?: boolean } = {},
) {
  const line = names.map((name) => (name === null ? noneChosen : chosen(name)))
  const { ceilings, lifts } = presetRules(line)
  const grants = liftsForCommand(lifts, { isConfined, rulesets: [rules, ...ceilings] })
  return evaluateRequest({ permission, patterns: [pattern], rules, ceilings, grants }).action
}

const edit: [string, string] = ["edit", "src/a.ts"]
const bash: [string, string] = ["bash", "git push"]
const careful = mergeRules(defaultRules(), rulesFromConfig({ edit: "ask", bash: "ask" }))

test.each([
  ["ask", { edit: "ask", bash: "ask", read: "allow", fetch: "ask", task: "ask", config: "ask" }],
  ["edit", { edit: "allow", bash: "ask", read: "allow", fetch: "ask", task: "allow", config: "ask" }],
  ["plan", { edit: "deny", bash: "allow", read: "allow", fetch: "ask", task: "allow", config: "deny" }],
  ["sandbox", { edit: "allow", bash: "allow", read: "allow", fetch: "ask", task: "allow", config: "ask" }],
] as const)("the preset %s answers as described", (name, expected) => {
  const acts = {
    edit,
    bash,
    read: ["read", "src/a.ts"],
    fetch: ["webfetch", "https://example.com"],
    task: ["task", "explore"],
    config: ["edit", ".docket/agents/a.md"],
  } as const
  const actions = Object.entries(acts).map(([act, [permission, pattern]]) => [
    act,
    judged([name], [permission, pattern]),
  ])
  expect(Object.fromEntries(actions)).toEqual(expected)
})

test("presets allow what would be asked; commands only inside the sandbox", () => {
  expect(judged([null], edit, { rules: careful })).toBe("ask")
  expect(judged(["edit"], edit, { rules: careful })).toBe("allow")
  expect(judged(["edit"], bash, { rules: careful })).toBe("ask")
  expect(judged(["sandbox"], bash, { rules: careful })).toBe("allow")
  expect(judged(["sandbox"], bash, { rules: careful, isConfined: false })).toBe("ask")
  expect(judged(["sandbox"], ["sandbox", "git push"], { rules: careful })).toBe("ask")
})

test("no preset allows an unknown command when rules deny some command", () => {
  const denying = mergeRules(careful, rulesFromConfig({ bash: { "*": "ask", "git push *": "deny" } }))
  const lifted = mergeRules(denying, rulesFromConfig({ bash: "ask" }))
  expect(judged(["sandbox"], ["bash", "*"], { rules: careful })).toBe("allow")
  expect(judged(["sandbox"], ["bash", "*"], { rules: denying })).toBe("ask")
  expect(judged(["sandbox"], ["bash", "make"], { rules: denying })).toBe("allow")
  expect(judged(["sandbox"], ["bash", "*"], { rules: lifted })).toBe("allow")
})

test("no preset allows unknown words when rules deny some command", () => {
  const denying = mergeRules(careful, rulesFromConfig({ bash: { "*": "ask", "rm -rf *": "deny" } }))
  const ask = (rules: PermissionRule[], from: "preset" | "project") => {
    const grants = [{ permission: "bash", pattern: "*", from }]
    return evaluateRequest({ permission: "bash", patterns: ["rm $X"], unknown: ["rm $X"], rules, grants }).action
  }
  expect(ask(careful, "preset")).toBe("allow")
  expect(ask(denying, "preset")).toBe("ask")
  expect(ask(denying, "project")).toBe("allow")
})

test("commands of a read-only agent ask even when the sandbox is trusted", () => {
  const reader = mergeRules(careful, rulesFromConfig({ edit: "deny" }))
  expect(judged(["sandbox"], bash, { rules: reader })).toBe("ask")
})

test("a plan can be written where only plans may be", () => {
  const planner = mergeRules(defaultRules(), rulesFromConfig({ edit: { ".docket/plans/*.md": "allow" } }))
  expect(judged(["plan"], ["edit", ".docket/plans/a.md"], { rules: planner })).toBe("allow")
  expect(judged(["plan"], ["edit", ".docket/agents/a.md"], { rules: planner })).toBe("deny")
})

const severity = { allow: 0, ask: 1, deny: 2 }
const preset = fc.constantFrom(...PermissionPreset.options, null)
const rule: fc.Arbitrary<PermissionRule> = fc.record({
  permission: fc.constantFrom("*", "bash", "edit"),
  pattern: fc.constantFrom("*", "git *", "src/*"),
  action: fc.constantFrom("allow", "ask", "deny"),
})

test("a child session is never freer than its parent's preset; denials stay", () => {
  const rules = fc.array(rule, { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(preset, { maxLength: 3 }), preset, rules, fc.boolean(), (above, own, list, isConfined) => {
      for (const act of [edit, bash]) {
        const [parent, child] = [
          judged(above, act, { rules: list, isConfined }),
          judged([own, ...above], act, { rules: list, isConfined }),
        ]
        if (above.some((name) => name !== null)) expect(severity[child]).toBeGreaterThanOrEqual(severity[parent])
        if (judged([], act, { rules: list }) === "deny") expect(child).toBe("deny")
      }
    }),
  )
})

test("nextPreset goes through all presets, then back to the rules alone", () => {
  const order = [null, ...presets.map(({ name }) => name)]
  expect(order.map(nextPreset)).toEqual([...order.slice(1), null])
})
