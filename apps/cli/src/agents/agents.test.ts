import type { DefinedAgent } from "@docket/core"
import { sampleAgent } from "@docket/core/test/sample-agent"
import { expect, test } from "vitest"
import { agentLines } from "./agents.ts"

const agent: DefinedAgent = { ...sampleAgent, modelProblem: "There is no model a/one." }

test("docket agents list shows mode, model and file, problems and pending trust", () => {
  const off: DefinedAgent = { ...agent, name: "explore", disabled: true, model: null, modelProblem: null, sources: [] }
  const waiting = [{ name: "theirs", file: "/p/.claude/agents/theirs.md", line: 1 }]
  const problems = [{ file: "/p/.docket/agents/x.md", line: 2, column: 1, message: "is left out" }]
  expect(agentLines({ agents: [agent, off], waiting, problems }, new Map())).toEqual([
    expect.stringMatching(/^name +mode +model +file$/),
    expect.stringMatching(/^reviewer +subagent +a\/one +\/p\/\.docket\/agents\/reviewer\.md$/),
    expect.stringMatching(/^explore +off +- +built in$/),
    "reviewer: There is no model a/one.",
    "theirs waits for your trust (docket trust): /p/.claude/agents/theirs.md",
    "/p/.docket/agents/x.md:2 is left out",
  ])
})
