import { expect, test } from "vitest"
import { mergeConfigs } from "../config/merge-config.ts"
import { shownValue } from "../config/shown-value.ts"
import { resolveAgents } from "./resolve-agents.ts"

const agentOf = (acp: { command: string; args?: string[]; model?: string }, more: object = {}) =>
  resolveAgents({ agent: { helper: { acp, ...more } } }).find(({ name }) => name === "helper")

test.each([
  [{ command: "/usr/bin/codex-acp" }, "codex-acp"],
  [{ command: "npx", args: ["-y", "@agentclientprotocol/claude-agent-acp@0.101.0"] }, "claude-agent-acp"],
  [{ command: "node", args: ["--enable-source-maps", "/opt/agent/main.mjs"] }, "main.mjs"],
  [{ command: "opencode", args: ["acp"] }, "opencode"],
])("the program of %j is called %s", (acp, program) => {
  expect(agentOf(acp)).toMatchObject({ program, model: { providerID: "acp", modelID: program } })
})

test("an agent with a program is a subagent unless set", () => {
  expect(agentOf({ command: "a" })?.mode).toBe("subagent")
  expect(agentOf({ command: "a", model: "large" }, { mode: "all", model: "some/model" })).toMatchObject({
    mode: "all",
    model: { providerID: "acp", modelID: "a/large" },
  })
})

test("an entry for a program is taken as a whole", () => {
  const low = { agent: { helper: { color: "#fff", acp: { command: "mine", env: { KEY: "secret" } } } } }
  const high = { agent: { helper: { acp: { command: "theirs", args: ["--all"] } } } }
  expect(mergeConfigs([low, high]).agent?.helper).toEqual({
    color: "#fff",
    acp: { command: "theirs", args: ["--all"] },
  })
})

test("variables of a program are not shown", () => {
  expect(shownValue(["agent", "helper", "acp", "env", "HOST"], "inner.example")).toBe("(hidden)")
  expect(shownValue(["agent", "helper", "acp", "env", "HOST"], "{env:HOST}")).toBe("{env:HOST}")
})
