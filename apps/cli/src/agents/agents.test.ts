import type { DefinedAgent } from "@docket/core"
import { expect, test } from "vitest"
import { agentLines } from "./agents.ts"

const agent: DefinedAgent = {
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
  modelProblem: "There is no model a/one.",
  sources: [{ file: "/p/.docket/agents/reviewer.md", line: 1, format: "markdown", origin: "docket", owner: "project" }],
  problems: [],
}

test("agents are listed with mode, model and file, then what is wrong and what waits", () => {
  const off: DefinedAgent = { ...agent, name: "explore", disabled: true, model: null, modelProblem: null, sources: [] }
  const waiting = [{ name: "theirs", file: "/p/.claude/agents/theirs.md", line: 1 }]
  const problems = [{ file: "/p/.docket/agents/x.md", line: 2, column: 1, message: "is left out" }]
  expect(agentLines({ agents: [agent, off], waiting, problems })).toEqual([
    expect.stringMatching(/^name +mode +model +file$/),
    expect.stringMatching(/^reviewer +subagent +a\/one +\/p\/\.docket\/agents\/reviewer\.md$/),
    expect.stringMatching(/^explore +off +- +built in$/),
    "reviewer: There is no model a/one.",
    "theirs waits for your trust (docket trust): /p/.claude/agents/theirs.md",
    "/p/.docket/agents/x.md:2 is left out",
  ])
})
