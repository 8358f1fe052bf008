import type { JudgedPattern } from "@docket/core"
import { expect, test } from "vitest"
import { decidedWords, ruleWords, sourceWords } from "./rule-words.ts"

test("says a rule in words", () => {
  expect(ruleWords({ permission: "bash", pattern: "*", action: "ask" })).toBe("Asks before it may run commands")
  expect(ruleWords({ permission: "bash", pattern: "git push *", action: "deny" })).toBe(
    "May not run commands: git push *",
  )
  expect(ruleWords({ permission: "*", pattern: "*", action: "allow" })).toBe("May do everything else")
  expect(ruleWords({ permission: "*", pattern: "*", action: "deny" })).toBe("May do nothing else")
  expect(ruleWords({ permission: "mcp_x", pattern: "*", action: "ask" })).toBe("Asks before it may use “mcp_x”")
  expect(ruleWords({ permission: "edit", pattern: "a\u202eb", action: "allow" })).not.toContain("\u202e")
})

test("says where it comes from", () => {
  expect(sourceWords(null, "/p")).toBe("built in")
  expect(sourceWords("/p/.docket/agents/a.md", "/p")).toBe("the project’s .docket/agents/a.md")
  expect(sourceWords("/pq/docket.json", "/p")).toBe("your /pq/docket.json")
  expect(sourceWords("/home/ada/.config/docket/docket.json", null)).toBe("your /home/ada/.config/docket/docket.json")
})

test("says what decides an act", () => {
  const rule = { permission: "bash", pattern: "git push *", action: "deny" } as const
  const judged: JudgedPattern = {
    permission: "bash",
    pattern: "git push",
    action: "deny",
    of: "agent",
    agent: "explore",
    rule,
    from: "/p/docket.json",
  }
  expect(decidedWords(judged, "/p")).toBe("May not run commands: git push * (the project’s docket.json)")
  expect(decidedWords({ ...judged, of: "caller", agent: "plan", from: null }, "/p")).toBe(
    "May not run commands: git push * (built in), of plan, which hands it the work",
  )
  expect(decidedWords({ ...judged, of: "configuration", from: null }, "/p")).toContain("which you do not trust yet")
  expect(decidedWords({ ...judged, rule: null, pattern: "*", action: "ask" }, "/p")).toContain("only when it runs")
})
