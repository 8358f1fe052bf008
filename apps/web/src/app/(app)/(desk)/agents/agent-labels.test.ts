import type { DefinedAgent } from "@docket/core"
import { sampleAgent } from "@docket/core/test/sample-agent"
import { expect, test } from "vitest"
import { agentFacts, editableSource, elsewhere, shownColor } from "./agent-labels.ts"

const [markdown] = sampleAgent.sources
if (markdown === undefined) throw new Error("the sample has a file")
const agent: DefinedAgent = {
  ...sampleAgent,
  steps: 4,
  sources: [markdown, { ...markdown, file: "/p/docket.json", format: "json", line: 3 }],
}

test("an agent's line shows its mode, model, steps and files", () => {
  expect(agentFacts(agent, "/p")).toBe(
    "Other agents hand it work · a/one · 4 steps at most · the project’s .docket/agents/reviewer.md, changed by the project’s docket.json",
  )
  expect(agentFacts({ ...agent, native: true, model: null, steps: null, sources: [] }, "/p")).toBe(
    "Other agents hand it work · built in",
  )
  const plugin = { ...markdown, file: "/h/own.ts", format: "plugin" as const }
  expect(agentFacts({ ...agent, sources: [plugin] }, "/p")).toMatch(/ · your \/h\/own\.ts \(plugin\)$/)
})

test("Markdown agents are edited on the page, docket.json entries in the file", () => {
  expect(editableSource(agent)?.file).toBe("/p/.docket/agents/reviewer.md")
  expect(elsewhere(agent).map(({ file }) => file)).toEqual(["/p/docket.json"])
  expect(editableSource({ ...agent, sources: [] })).toBeNull()
})

test("only valid colours are shown", () => {
  expect(["#f00", "#00ff7f", "purple"].map(shownColor)).toEqual(["#f00", "#00ff7f", "purple"])
  expect([null, "url(x)", "red;}", "#12345"].map(shownColor)).toEqual([null, null, null, null])
})
