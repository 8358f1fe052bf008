import type { PreviewedPattern } from "@docket/core"
import { expect, test } from "vitest"
import { decisionMessage, ruleLabel, sourceLabel } from "./rule-labels.ts"

test("ruleLabel describes a rule in words", () => {
  expect(ruleLabel({ permission: "bash", pattern: "*", action: "ask" })).toBe("Asks before it may run commands")
  expect(ruleLabel({ permission: "bash", pattern: "git push *", action: "deny" })).toBe(
    "May not run commands: git push *",
  )
  expect(ruleLabel({ permission: "*", pattern: "*", action: "allow" })).toBe("May do everything else")
  expect(ruleLabel({ permission: "*", pattern: "*", action: "deny" })).toBe("May do nothing else")
  expect(ruleLabel({ permission: "mcp_x", pattern: "*", action: "ask" })).toBe("Asks before it may use “mcp_x”")
  expect(ruleLabel({ permission: "edit", pattern: "a\u202eb", action: "allow" })).not.toContain("\u202e")
})

test("sourceLabel tells where a rule comes from", () => {
  expect(sourceLabel(null, "/p")).toBe("built in")
  expect(sourceLabel("/p/.docket/agents/a.md", "/p")).toBe("the project’s .docket/agents/a.md")
  expect(sourceLabel("/pq/docket.json", "/p")).toBe("your /pq/docket.json")
  expect(sourceLabel("/home/ada/.config/docket/docket.json", null)).toBe("your /home/ada/.config/docket/docket.json")
})

test("decisionMessage tells which rule decides an act", () => {
  const rule = { permission: "bash", pattern: "git push *", action: "deny" } as const
  const judged: PreviewedPattern = {
    permission: "bash",
    pattern: "git push",
    action: "deny",
    of: "agent",
    agent: "explore",
    rule,
    from: "/p/docket.json",
  }
  expect(decisionMessage(judged, "/p")).toBe("May not run commands: git push * (the project’s docket.json)")
  expect(decisionMessage({ ...judged, of: "caller", agent: "plan", from: null }, "/p")).toBe(
    "May not run commands: git push * (built in), of plan, which hands it the work",
  )
  expect(decisionMessage({ ...judged, of: "configuration", from: null }, "/p")).toContain("which you do not trust yet")
  expect(decisionMessage({ ...judged, rule: null, pattern: "*", action: "ask" }, "/p")).toContain("only when it runs")
})
