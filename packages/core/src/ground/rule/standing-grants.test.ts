import fc from "fast-check"
import { expect, test } from "vitest"
import type { PermissionRule } from "../schema/permission.ts"
import { evaluateRequest, evaluateStrictest, type Grant } from "./evaluate.ts"

const permissions = ["bash", "edit", "read", "sandbox", "external_directory"] as const
const permission = fc.constantFrom(...permissions)
const wildcard = fc.constantFrom("*", ...permissions, "e*")
const pattern = fc.constantFrom(
  "*",
  "git push",
  "git *",
  "src/*",
  "src/a.ts",
  ".docket/agents/a.md",
  ".env",
  "?s",
  "ls *",
)
const asked = fc.constantFrom("*", "git push", "src/a.ts", ".docket/agents/a.md", ".env", "ls", "ls -l")
const rule: fc.Arbitrary<PermissionRule> = fc.record({
  permission: wildcard,
  pattern,
  action: fc.constantFrom("allow", "ask", "deny"),
})
const rules = fc.array(rule, { maxLength: 8 })
const grant: fc.Arbitrary<Grant> = fc
  .record({ permission: wildcard, pattern, from: fc.constantFrom(undefined, "project", "everywhere", "preset") })
  .map(({ from, ...given }) => ({ ...given, ...(from !== undefined && { from }) }))

test("a configured denial stays in force against any grant", () => {
  fc.assert(
    fc.property(
      permission,
      fc.array(asked, { minLength: 1, maxLength: 4 }),
      rules,
      fc.array(rules, { maxLength: 3 }),
      fc.array(grant, { maxLength: 6 }),
      (wanted, patterns, own, ceilings, grants) => {
        const actions = patterns.map((one) => evaluateStrictest(wanted, one, [own, ...ceilings]).action)
        const verdict = evaluateRequest({ permission: wanted, patterns, rules: own, ceilings, grants })
        if (actions.includes("deny")) expect(verdict.action).toBe("deny")
        else expect(verdict.action).not.toBe("deny")
        if (actions.every((action) => action === "allow")) expect(verdict.action).toBe("allow")
      },
    ),
  )
})

test("unreadable configuration is overruled only by grants of the same tree", () => {
  const held: PermissionRule = { permission: "*", pattern: "*", action: "ask", heldBack: true }
  const question = { permission: "bash", patterns: ["git push"], rules: [held] }
  const given: Grant = { permission: "bash", pattern: "git *" }
  expect(evaluateRequest({ ...question, grants: [given] }).action).toBe("allow")
  expect(evaluateRequest({ ...question, grants: [{ ...given, from: "project" }] }).action).toBe("ask")
  const asks: PermissionRule = { permission: "*", pattern: "*", action: "ask" }
  const above = { ...question, rules: [], ceilings: [[asks], [held]], grants: [{ ...given, from: "project" as const }] }
  expect(evaluateRequest(above).action).toBe("ask")
})

test("an untrusted project's question is answered only by grants made there", () => {
  const untrusted: PermissionRule = { permission: "bash", pattern: "*", action: "ask", untrusted: true }
  const question = { permission: "bash", patterns: ["git push"], rules: [], ceilings: [[untrusted]] }
  const given: Grant = { permission: "bash", pattern: "git *" }
  const actions = ([undefined, "project", "everywhere", "preset"] as const).map(
    (from) => evaluateRequest({ ...question, grants: [{ ...given, ...(from && { from }) }] }).action,
  )
  expect(actions).toEqual(["allow", "allow", "ask", "ask"])
})
