import { expect, it } from "vitest"
import type { Tool } from "../../acts/tool/tool.ts"
import { rulesFromConfig } from "../../ground/rule/index.ts"
import { chooseTools } from "./offered-tools.ts"

const names = ["read", "edit", "write", "multiedit", "apply_patch", "bash"]
const tools = names.map((id) => ({ id, permission: id === "read" || id === "bash" ? id : "edit" }) as Tool)

it.each([
  ["gpt-5.2-codex", ["read", "apply_patch", "bash"]],
  ["openai/gpt-5", ["read", "apply_patch", "bash"]],
  ["gpt-4.1", ["read", "edit", "write", "multiedit", "bash"]],
  ["gpt-oss-120b", ["read", "edit", "write", "multiedit", "bash"]],
  ["claude-opus-4-5", ["read", "edit", "write", "multiedit", "bash"]],
  ["gemini-3-pro", ["read", "edit", "write", "multiedit", "bash"]],
])("%s is offered the tools by which it changes files", (modelID, offered) => {
  const chosen = chooseTools(tools, { modelID, rules: [], ceilings: [], switches: [] })
  expect(chosen.offered.map(({ id }) => id)).toEqual(offered)
})

it("each withheld tool has a reason", () => {
  const rules = rulesFromConfig({ bash: "deny" })
  const { withheld } = chooseTools(tools, { modelID: "claude-opus-4-5", rules, ceilings: [], switches: [] })
  expect(withheld.map(({ tool, why }) => [tool.id, why])).toEqual([
    ["bash", 'the rules deny "bash"'],
    ["apply_patch", "only models of the GPT family change files by patches"],
  ])
})

it("a model of the GPT family without patches edits file by file", () => {
  const some = tools.filter(({ id }) => id !== "apply_patch")
  expect(chooseTools(some, { modelID: "gpt-5", rules: [], ceilings: [], switches: [] }).withheld).toEqual([])
})

it("a prompt that switches patches off leaves a GPT model other tools", () => {
  const facts = { modelID: "gpt-5", rules: [], ceilings: [], switches: [{ apply_patch: false }] }
  const { offered, withheld } = chooseTools(tools, facts)
  expect(offered.map(({ id }) => id)).toEqual(["read", "edit", "write", "multiedit", "bash"])
  expect(withheld.map(({ tool, why }) => [tool.id, why])).toEqual([["apply_patch", "the prompt switches it off"]])
})
