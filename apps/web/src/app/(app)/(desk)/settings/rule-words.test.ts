import { expect, test } from "vitest"
import { ruleWords, sourceWords } from "./rule-words.ts"

test("says a rule in words", () => {
  expect(ruleWords({ permission: "bash", pattern: "*", action: "ask" })).toBe("Asks before it may run commands")
  expect(ruleWords({ permission: "bash", pattern: "git push *", action: "deny" })).toBe(
    "May not run commands: git push *",
  )
  expect(ruleWords({ permission: "*", pattern: "*", action: "allow" })).toBe("May do everything else")
  expect(ruleWords({ permission: "mcp_x", pattern: "*", action: "ask" })).toBe("Asks before it may use “mcp_x”")
  expect(ruleWords({ permission: "edit", pattern: "a\u202eb", action: "allow" })).not.toContain("\u202e")
})

test("says where it comes from", () => {
  expect(sourceWords(null, "/p")).toBe("built in")
  expect(sourceWords("/p/.docket/agents/a.md", "/p")).toBe("the project’s .docket/agents/a.md")
  expect(sourceWords("/pq/docket.json", "/p")).toBe("your /pq/docket.json")
  expect(sourceWords("/home/ada/.config/docket/docket.json", null)).toBe("your /home/ada/.config/docket/docket.json")
})
