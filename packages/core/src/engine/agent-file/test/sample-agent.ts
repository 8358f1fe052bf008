import type { DefinedAgent } from "../agent-file-service.ts"

/** A valid subagent from a Markdown file in the project `/p`. */
export const sampleAgent: DefinedAgent = {
  name: "reviewer",
  description: "Reviews.",
  mode: "subagent",
  native: false,
  model: { providerID: "a", modelID: "one" },
  problem: null,
  from: [],
  rules: [],
  hidden: false,
  variant: null,
  temperature: null,
  topP: null,
  steps: null,
  color: null,
  disabled: false,
  modelProblem: null,
  sources: [{ file: "/p/.docket/agents/reviewer.md", line: 1, format: "markdown", origin: "docket", owner: "project" }],
  problems: [],
}
