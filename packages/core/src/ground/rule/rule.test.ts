import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { PermissionRule } from "../schema/permission.ts"
import {
  defaultRules,
  evaluatePermission,
  evaluateRequest,
  evaluateStrictest,
  hiddenTools,
  matchWildcard,
  mergeRules,
  rulesFromConfig,
} from "./index.ts"

const action = fc.constantFrom("allow", "deny", "ask" as const)
const permission = fc.constantFrom("*", "bash", "edit", "read", "ed*")
const pattern = fc.constantFrom("*", "a", "b", "a*", "?", "git *", "git log *")
const rule: fc.Arbitrary<PermissionRule> = fc.record({ permission, pattern, action })
const rules = fc.array(rule, { maxLength: 8 })
const asked = fc.constantFrom("a", "b", "ab", "git", "git log", "git push")
/** How strict each action is. */
const order = { allow: 0, ask: 1, deny: 2 }

describe("evaluatePermission", () => {
  it("allows an edit of configuration only by a rule that names it", () => {
    const judge = (config: Parameters<typeof rulesFromConfig>[0]) =>
      evaluatePermission("edit", "app/docket.json", defaultRules(), rulesFromConfig(config)).action
    expect(judge({})).toBe("ask")
    expect(judge("allow")).toBe("ask")
    expect(judge({ edit: { "*.json": "allow", "app/*": "allow" } })).toBe("ask")
    expect(judge({ edit: { "app/docket.json": "allow" } })).toBe("allow")
    expect(judge({ edit: { "*/docket.json": "allow" }, "*": "allow" })).toBe("allow")
    expect(judge({ edit: { "*/docket.json": "deny" }, "*": "allow" })).toBe("deny")
    expect(judge({ edit: "deny" })).toBe("deny")
    expect(evaluatePermission("read", "app/docket.json", rulesFromConfig("allow")).action).toBe("allow")
  })

  it("takes no grant for every file as one for configuration", () => {
    const verdict = (pattern: string) =>
      evaluateRequest({
        permission: "edit",
        patterns: ["docket.json"],
        rules: defaultRules(),
        grants: [{ permission: "edit", pattern }],
      }).action
    expect(verdict("*")).toBe("ask")
    expect(verdict("docket.json")).toBe("allow")
  })

  it("asks when nothing matches", () => {
    expect(evaluatePermission("edit", "a.ts", []).action).toBe("ask")
  })

  it("lets the last match win", () => {
    fc.assert(
      fc.property(rules, rules, asked, (first, second, text) => {
        const all = mergeRules(first, second)
        const last = all.findLast((r) => matchWildcard(r.permission, "edit") && matchWildcard(r.pattern, text))
        expect(evaluatePermission("edit", text, first, second)).toEqual(
          last ?? { permission: "edit", pattern: "*", action: "ask" },
        )
      }),
      drawn(),
    )
  })

  it("skips rules for other permissions without changing any decision", () => {
    const grants = fc.array(fc.record({ permission, pattern }), { maxLength: 3 })
    fc.assert(
      fc.property(rules, rules, grants, fc.array(asked, { minLength: 1 }), (own, ceiling, given, patterns) => {
        const verdict = evaluateRequest({
          permission: "edit",
          patterns,
          rules: own,
          ceilings: [ceiling],
          grants: given,
        })
        const actions = [...new Set(patterns)].map((text) => {
          const { action } = evaluateStrictest("edit", text, [own, ceiling])
          const isGiven = given.some((one) => matchWildcard(one.permission, "edit") && matchWildcard(one.pattern, text))
          return action === "ask" && isGiven ? "allow" : action
        })
        const worst = actions.toSorted((one, other) => order[other] - order[one])[0]
        expect(verdict.action).toBe(worst)
      }),
      drawn(),
    )
  })

  it("gets the same rules in whatever grouping they are merged", () => {
    fc.assert(
      fc.property(rules, rules, rules, (a, b, c) => {
        expect(mergeRules(mergeRules(a, b), c)).toEqual(mergeRules(a, mergeRules(b, c)))
        expect(mergeRules(a, [])).toEqual(a)
      }),
      drawn(),
    )
  })

  it("asks for an unknown pattern when some pattern is restricted", () => {
    const allowed = rulesFromConfig({ "*": "allow" })
    const restricted = rulesFromConfig({ bash: { "*": "allow", "rm *": "deny" } })
    const closed = rulesFromConfig({ bash: { "*": "deny", "git *": "allow" } })
    expect(evaluatePermission("bash", "*", allowed).action).toBe("allow")
    expect(evaluatePermission("bash", "*", restricted).action).toBe("ask")
    expect(evaluatePermission("bash", "*", closed).action).toBe("deny")
    fc.assert(
      fc.property(rules, asked, (list, text) => {
        if (evaluatePermission("bash", "*", list).action !== "allow") return
        expect(evaluatePermission("bash", text, list).action).toBe("allow")
      }),
      drawn(),
    )
  })
})

describe("rulesFromConfig", () => {
  it("reads every short form and keeps the order", () => {
    expect(rulesFromConfig("deny")).toEqual([{ permission: "*", pattern: "*", action: "deny" }])
    expect(
      rulesFromConfig({ bash: "ask", edit: { "*": "deny", "~/notes/*": "allow" } }, { home: "/home/ann" }),
    ).toEqual([
      { permission: "bash", pattern: "*", action: "ask" },
      { permission: "edit", pattern: "*", action: "deny" },
      { permission: "edit", pattern: "/home/ann/notes/*", action: "allow" },
    ])
  })
})

describe("defaultRules", () => {
  it.each([
    ["read", "src/a.ts", "allow"],
    ["read", ".env", "ask"],
    ["read", "app/.env.local", "ask"],
    ["read", ".env.example", "allow"],
    ["bash", "ls", "allow"],
    ["doom_loop", "bash", "ask"],
    ["external_directory", "/etc/*", "ask"],
    ["external_directory", "/tmp/*", "allow"],
    ["question", "*", "deny"],
  ])("%s on %s: %s", (name, text, expected) => {
    expect(evaluatePermission(name, text, defaultRules(["/tmp/"])).action).toBe(expected)
  })
})

describe("evaluateRequest", () => {
  it("never lets a ceiling widen the child's rights", () => {
    fc.assert(
      fc.property(rules, rules, asked, (own, ceiling, text) => {
        const both = evaluateStrictest("bash", text, [own, ceiling]).action
        expect(order[both]).toBeGreaterThanOrEqual(order[evaluatePermission("bash", text, own).action])
        expect(order[both]).toBeGreaterThanOrEqual(order[evaluatePermission("bash", text, ceiling).action])
      }),
      drawn(),
    )
  })

  it("never lets a grant beat a deny", () => {
    fc.assert(
      fc.property(rules, rules, fc.array(asked, { minLength: 1 }), (own, ceiling, patterns) => {
        const without = evaluateRequest({ permission: "bash", patterns, rules: own, ceilings: [ceiling], grants: [] })
        const granted = evaluateRequest({
          permission: "bash",
          patterns,
          rules: own,
          ceilings: [ceiling],
          grants: [{ permission: "bash", pattern: "*" }],
        })
        expect(granted.action).toBe(without.action === "deny" ? "deny" : "allow")
      }),
      drawn(),
    )
  })

  it("asks only for what rules and grants leave open", () => {
    const own = rulesFromConfig({ bash: { "*": "ask", "git *": "allow" } })
    const grants = [{ permission: "bash", pattern: "npm test *" }]
    expect(
      evaluateRequest({ permission: "bash", patterns: ["git log", "npm test", "curl x"], rules: own, grants }),
    ).toEqual({ action: "ask", patterns: ["curl x"] })
  })

  it("names the rule that denies", () => {
    const own = rulesFromConfig({ bash: { "*": "allow", "rm *": "deny" } })
    expect(evaluateRequest({ permission: "bash", patterns: ["ls", "rm -rf x"], rules: own, grants: [] })).toEqual({
      action: "deny",
      rule: { permission: "bash", pattern: "rm *", action: "deny" },
      pattern: "rm -rf x",
    })
  })
})

describe("hiddenTools", () => {
  const tools = [
    { id: "edit", permission: "edit" },
    { id: "write", permission: "edit" },
    { id: "read", permission: "read" },
  ]

  it("hides what the last rule denies entirely", () => {
    expect(hiddenTools(rulesFromConfig({ "*": "allow", edit: "deny" }), tools)).toEqual(new Set(["edit", "write"]))
  })

  it("hides no tool that is allowed for some pattern", () => {
    const some = rulesFromConfig({ edit: { "*": "deny", "*.md": "allow" } })
    expect(hiddenTools(some, tools)).toEqual(new Set())
  })

  it("hides what a ceiling hides", () => {
    const ceiling = rulesFromConfig({ "*": "allow", edit: "deny" })
    expect(hiddenTools(rulesFromConfig("allow"), tools, [ceiling])).toEqual(new Set(["edit", "write"]))
  })
})

it("an unknown command leaves the sandbox only without a later restriction", () => {
  const named = rulesFromConfig({ sandbox: { "*": "allow", "rm *": "deny" } })
  expect(evaluatePermission("sandbox", "*", named).action).toBe("ask")
  expect(evaluatePermission("sandbox", "*", named, rulesFromConfig("allow")).action).toBe("ask")
  expect(evaluatePermission("sandbox", "*", rulesFromConfig({ sandbox: "allow" })).action).toBe("allow")
  expect(
    evaluatePermission("sandbox", "*", rulesFromConfig({ sandbox: { "rm *": "deny", "*": "allow" } })).action,
  ).toBe("allow")
})

it("a general allow rule does not let a command leave the sandbox", () => {
  const allowAll = rulesFromConfig("allow")
  expect(evaluatePermission("sandbox", "ls", defaultRules(), allowAll).action).toBe("ask")
  const named = rulesFromConfig({ sandbox: { "*": "deny", "docker *": "allow" } })
  expect(evaluatePermission("sandbox", "docker ps", named, allowAll).action).toBe("allow")
  expect(evaluatePermission("sandbox", "ls", named, allowAll).action).toBe("deny")
  expect(evaluatePermission("sandbox", "docker ps", named, rulesFromConfig("deny")).action).toBe("deny")
})
