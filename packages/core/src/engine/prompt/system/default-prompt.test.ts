import { describe, expect, it } from "vitest"
import { hiddenTools, mergeRules } from "../../../ground/rule/index.ts"
import { toolNames } from "../../../ground/schema/tool-metadata.ts"
import { findAgent, resolveAgents } from "../../../setup/agent/resolve-agents.ts"
import type { Config } from "../../../setup/config/schema.ts"
import { answer, scriptedRuntime } from "../../../test/scripted-runtime.ts"
import { type BuiltinToolDeps, createBuiltinTools } from "../../builtin-tools/builtin-tools.ts"
import { childRules } from "../../delegation/child-session.ts"
import { defaultPrompt } from "./default-prompt.ts"
import { modelFamily, promptRole } from "./prompt-context.ts"

const builtin = createBuiltinTools({ env: {}, clock: Date.now } as unknown as BuiltinToolDeps)
/** All tools, as an agent that may do everything is offered them; a tool that is not built in delegates. */
const tools = toolNames.map((id: string) => ({
  id,
  permission: builtin.find((tool) => tool.id === id)?.permission ?? "task",
}))

const config: Config = {
  agent: {
    lead: { mode: "primary" },
    reader: { mode: "all", permission: { edit: "deny", bash: "deny" } },
    runner: { mode: "subagent", permission: { "*": "deny", bash: "allow" } },
    boss: { mode: "subagent", permission: { task: "allow", todowrite: "allow" } },
    mute: { mode: "all", permission: { "*": "deny" } },
  },
}
const agents = resolveAgents(config).filter((agent) => !agent.hidden)
const models = [
  "arcee-ai/trinity-large",
  "claude-sonnet-5",
  "gpt-6-sol",
  "gpt-4.1",
  "o3",
  "gemini-3.8-flash",
  "qwen3-coder",
]

const offered = (name: string, watched: boolean) => {
  const agent = findAgent(agents, name)
  const rules = watched
    ? agent.permission
    : mergeRules(agent.permission, childRules(agent, { mayAsk: false, config: {} }))
  const hidden = hiddenTools(rules, tools)
  return new Set(tools.map(({ id }) => id).filter((id) => !hidden.has(id)))
}

const promptOf = (name: string, modelID: string, watched: boolean) =>
  defaultPrompt({
    role: promptRole(findAgent(agents, name)),
    watched,
    tools: offered(name, watched),
    family: modelFamily(modelID),
  })

/** Tool ids that a text names: in backticks, or bare when the id is no English word. */
function named(text: string): string[] {
  const words = new Set(["read", "list", "edit", "write", "task", "memory", "question"])
  const marked = [...text.matchAll(/`([\w]+)`/g)].flatMap(([, id]) => (id === undefined ? [] : [id]))
  const bare = toolNames.filter((id) => !words.has(id) && new RegExp(`\\b${id}\\b`).test(text))
  return [...new Set([...marked, ...bare])]
}

describe("the default prompt", () => {
  it.each(agents.flatMap(({ name }) => models.map((model) => [name, model] as const)))(
    "of %s with %s names only tools that the agent has",
    (name, model) => {
      for (const watched of [true, false]) {
        const missing = named(promptOf(name, model, watched)).filter((id) => !offered(name, watched).has(id))
        expect(missing).toEqual([])
      }
    },
  )

  it("says whether a user watches or only the last message counts", () => {
    for (const model of models) {
      expect(promptOf("build", model, true)).toContain("The user watches each call")
      for (const name of ["general", "explore", "lead", "boss"]) {
        const prompt = promptOf(name, model, false)
        expect(prompt).toContain("Nobody watches and nobody can answer a question.")
        expect(prompt).toContain("Only your last message goes back to the agent that asked")
        expect(prompt).not.toMatch(/user watches|tell the user|[Aa]sk only when/)
      }
    }
  })

  it("tells a subagent with the question tool that a person answers", () => {
    const asking = resolveAgents({ agent: { asker: { mode: "subagent" } } })
    const tools = new Set(["read", "question"])
    const prompt = defaultPrompt({
      role: promptRole(findAgent(asking, "asker")),
      watched: false,
      tools,
      family: modelFamily("claude-sonnet-5"),
    })
    expect(prompt).toContain("Nobody watches; a person answers only what you ask with `question`")
    expect(prompt).not.toContain("nobody can answer")
  })

  it("tells general to report findings, changes, open work and how it checked", () => {
    const prompt = promptOf("general", "claude-sonnet-5", false)
    for (const part of ["path:line", "What you changed", "What you did not do", "How it was checked"]) {
      expect(prompt).toContain(part)
    }
  })

  it("teaches plan to change nothing and explore to answer with evidence", () => {
    expect(promptOf("plan", "gpt-6-sol", true)).toContain("Change nothing: no file of the project")
    expect(promptOf("plan", "gpt-6-sol", true)).not.toContain("Make the change")
    expect(promptOf("explore", "gpt-6-sol", false)).toContain("Then the evidence")
  })

  it("does not mention changes, checks or todos to a read-only subagent", () => {
    const prompt = promptOf("reader", "claude-sonnet-5", false)
    expect(prompt).not.toMatch(/smallest change|# Verifying|todo list|oldString/)
    expect(prompt).toContain("Look before you answer")
  })

  it("explains the delegation tools only to agents that have them", () => {
    const prompt = promptOf("build", "claude-sonnet-5", true)
    for (const id of [
      "task",
      "async_task",
      "async_task_result",
      "async_task_gather",
      "async_task_cancel",
      "task_message",
    ]) {
      expect(prompt).toContain(`- \`${id}\``)
    }
    expect(prompt.match(/<example>/g)).toHaveLength(1)
    expect(promptOf("boss", "claude-sonnet-5", false)).toContain("put it into your own result")
    for (const name of ["general", "explore", "reader"]) {
      expect(promptOf(name, "claude-sonnet-5", false)).not.toMatch(/# Delegating|<example>/)
    }
  })

  it("differs by model family in one section and shares all others", () => {
    const sectionsOf = (model: string) => promptOf("build", model, true).split("\n\n")
    const [first = [], ...others] = models.map(sectionsOf)
    for (const sections of others) {
      const own = sections.filter((section) => !first.includes(section))
      expect(own.length).toBeLessThanOrEqual(1)
    }
    expect(new Set(models.map((model) => promptOf("build", model, true))).size).toBe(6)
  })
})

it("an unknown model is told nothing of the todo list, Trinity is", () => {
  expect(promptOf("build", "qwen3-coder", true)).not.toContain("todo list")
  expect(promptOf("build", "arcee-ai/trinity-large", true)).toContain("compare with the todo list")
})

describe("a turn", () => {
  it("names only available tools in its system prompt, plus the child's role", async () => {
    const seen: { system: string[]; tools: string[] }[] = []
    await using it = await scriptedRuntime(({ prompt, tools: given = [] }) => {
      const system = prompt.flatMap((message) => (message.role === "system" ? [message.content] : []))
      seen.push({ system, tools: given.map((tool) => tool.name) })
      const told = prompt.some((message) => message.role === "tool")
      if (told || !given.some((tool) => tool.name === "task")) return answer("done")
      const call = (subagent_type: string) => ({
        tool: "task",
        input: { subagent_type, description: "look at it", prompt: "look" },
      })
      return answer("", call("general"), call("explore"))
    })
    await it.prompt("go")
    expect(seen).toHaveLength(4)
    // Only plan mode offers plan_exit, only GPT apply_patch; multiedit is not described; no skill, no search engine.
    const others = ["tool_search", "plan_exit", "skill", "apply_patch", "multiedit", "lsp", "websearch"]
    const lead = toolNames.filter((name) => !others.includes(name))
    expect([...(seen[0]?.tools ?? [])].sort()).toEqual(lead.sort())
    for (const { system, tools: given } of seen) {
      expect(system).toHaveLength(2)
      expect(named(system.join("\n")).filter((id) => !given.includes(id))).toEqual([])
    }
    const alone = seen.filter(({ system }) => system[0]?.includes("Nobody watches"))
    expect(alone).toHaveLength(2)
    expect(seen[0]?.system[0]).toBe(seen.at(-1)?.system[0])
  })
})
