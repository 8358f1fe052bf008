import { expect, it } from "vitest"
import { evaluateStrictest, refusedChange } from "../../ground/rule/index.ts"
import type { Config } from "../config/schema.ts"
import { forOwnPlan, planCeiling } from "./plan-ceiling.ts"
import { findAgent, resolveAgents } from "./resolve-agents.ts"

const own = ".docket/plans/2026-own.md"

function planning(config: Config) {
  const { permission } = findAgent(resolveAgents(config), "plan")
  const rulesets = [permission, planCeiling(config)].map((rules) => forOwnPlan(rules, own))
  const [rules = [], ...ceilings] = rulesets
  return {
    edit: (file: string) => evaluateStrictest("edit", file, [rules, ...ceilings]).action,
    mayRun: (command: string) => refusedChange([command], rulesets) === null,
  }
}

it("plan mode may edit the session's own plan and nothing else", () => {
  const { edit, mayRun } = planning({})
  expect([edit(own), edit(".docket/plans/other.md"), edit("src/a.ts")]).toEqual(["allow", "deny", "deny"])
  expect(mayRun("npm test")).toBe(false)
})

it("general user permissions do not loosen plan mode; denials still apply", () => {
  for (const permission of ["allow", { edit: "allow", bash: "allow", bash_change: "allow" }] as const) {
    const { edit, mayRun } = planning({ permission })
    expect([edit(own), edit(".docket/plans/other.md"), edit("src/a.ts")]).toEqual(["allow", "deny", "deny"])
    expect(mayRun("npm test")).toBe(false)
  }
  expect(planning({ permission: { edit: "deny" } }).edit(own)).toBe("deny")
})

it("the user's own rules for the plan agent apply", () => {
  const permission = { edit: { "docs/*": "allow" }, bash_change: { "npm test *": "allow" } } as const
  const { edit, mayRun } = planning({ agent: { plan: { permission } } })
  expect([edit("docs/a.md"), edit("src/a.ts")]).toEqual(["allow", "deny"])
  expect([mayRun("npm test"), mayRun("npm install")]).toEqual([true, false])
})

it("an agent with only shell permission still runs permitted commands", () => {
  const rules = [
    { permission: "*", pattern: "*", action: "deny" },
    { permission: "bash", pattern: "*", action: "allow" },
  ] as const
  expect(refusedChange(["touch a"], [[...rules]])).toBe(null)
})
