import type { LanguageModelV4Prompt } from "@ai-sdk/provider"
import { describe, expect, it } from "vitest"
import { findAgent, resolveAgents } from "../../../setup/agent/resolve-agents.ts"
import { applyCachePoints } from "../model-request.ts"
import { modelFamily } from "./prompt-context.ts"
import { systemPrompt } from "./system-prompt.ts"

describe("modelFamily", () => {
  it.each([
    ["claude-sonnet-5", "claude"],
    ["anthropic/claude-opus-5-5", "claude"],
    ["gpt-6-sol", "gpt"],
    ["openai/gpt-5.3-codex", "gpt"],
    ["codex-mini-latest", "gpt"],
    ["gpt-5-chat-latest", "gpt-early"],
    ["gpt-4.1-mini", "gpt-early"],
    ["gpt-oss:120b", "gpt-early"],
    ["chatgpt-4o-latest", "gpt-early"],
    ["o3-mini", "gpt-early"],
    ["models/gemini-3.8-flash", "gemini"],
    ["qwen3-coder:30b", "other"],
    ["photo3-large", "other"],
  ])("%s is %s", (id, family) => expect(modelFamily(id)).toBe(family))
})

describe("systemPrompt", () => {
  const input = {
    agent: findAgent(resolveAgents({}), "build"),
    model: { providerID: "anthropic", modelID: "claude-sonnet-5" },
    directory: "/work/app/web",
    worktree: "/work/app",
    git: true,
    gitState: { branch: "main", ahead: 2, behind: 0, changed: 7 },
    apart: false,
    shell: "bash",
    watched: true,
    tools: new Set(["read", "todowrite"]),
    platform: "linux",
    date: new Date(2026, 10, 21),
    instructions: [{ name: "AGENTS.md", content: "Use tabs.", from: "project" as const }],
    userSystem: "Be brief.",
  }

  it("has a stable first part and a varying second part", () => {
    const [first, second, ...more] = systemPrompt(input)
    expect(more).toEqual([])
    expect(systemPrompt({ ...input, directory: "/elsewhere", instructions: [], date: new Date(0) })[0]).toBe(first)
    expect(first).toContain("todowrite")
    expect(second).toContain("Working directory: /work/app/web\n  Project root: /work/app\n")
    expect(second).toContain("Branch: main (2 ahead of its upstream)")
    expect(second).toContain("Uncommitted changes when this turn began: fewer than 20 files")
    expect(second).toContain("Shell: bash\n  Platform: linux\n")
    expect(second).toMatch(/Saturday,? 21 November 2026/)
    expect(second).toContain('<instructions file="AGENTS.md" from="project">\nUse tabs.\n</instructions>\n\nBe brief.')
  })

  it("replaces the default prompt with the agent's and keeps the subagent role", () => {
    const agent = findAgent(resolveAgents({ agent: { reviewer: { prompt: "You review." } } }), "reviewer")
    expect(systemPrompt({ ...input, agent })[0]).toBe("You review.")
    const asking = systemPrompt({ ...input, agent, watched: false, tools: new Set(["question"]) })[1]
    expect(asking).toContain("a person answers only what you ask with `question`")
    expect(systemPrompt({ ...input, agent, watched: false })[1]).toContain("nobody can answer a question")
    expect(systemPrompt({ ...input, agent })[1]).not.toContain("subagent")
    expect(systemPrompt({ ...input, agent, watched: false })[0]).toBe("You review.")
    expect(systemPrompt({ ...input, agent, watched: false })[1]).toContain("Only your last message goes back")
  })

  it("gives hidden agents their prompt only", () => {
    expect(systemPrompt({ ...input, agent: findAgent(resolveAgents({}), "title") })).toHaveLength(1)
  })

  it("differs by model family", () => {
    const of = (modelID: string) => systemPrompt({ ...input, model: { providerID: "x", modelID } })[0]
    expect(new Set(["claude-x", "gpt-6", "gemini-4", "llama"].map(of)).size).toBe(4)
  })
})

describe("applyCachePoints", () => {
  const messages: LanguageModelV4Prompt = [
    { role: "system", content: "one" },
    { role: "system", content: "two" },
    { role: "user", content: [{ type: "text", text: "a" }] },
    { role: "assistant", content: [{ type: "text", text: "b" }], providerOptions: { anthropic: { kept: 1 } } },
    { role: "user", content: [{ type: "text", text: "c" }] },
  ]
  it("marks the system messages and the last two for Anthropic", () => {
    const marked = applyCachePoints(messages, "anthropic")
    const points = marked.map(({ providerOptions }) => providerOptions?.anthropic?.cacheControl !== undefined)
    expect(points).toEqual([true, true, false, true, true])
    expect(marked[3]?.providerOptions?.anthropic?.kept).toBe(1)
    expect(messages[0]?.providerOptions).toBeUndefined()
  })
  it("leaves other providers' messages alone", () => expect(applyCachePoints(messages, "openai")).toEqual(messages))
})
