import { describe, expect, it } from "vitest"
import { evaluatePermission, hiddenTools } from "../../ground/rule/index.ts"
import { defaultAgent, findAgent, resolveAgents } from "./resolve-agents.ts"

const tools = ["read", "list", "glob", "grep", "edit", "bash", "todowrite", "todoread", "task"].map((id) => ({
  id,
  permission: id,
}))
const named = (name: string, config: Parameters<typeof resolveAgents>[0] = {}) => findAgent(resolveAgents(config), name)
const action = (agent: string, permission: string, pattern: string) =>
  evaluatePermission(permission, pattern, named(agent).permission).action

describe("built-in agents", () => {
  it("are build and plan, the helpers general and explore, three hidden ones", () => {
    const agents = resolveAgents({})
    expect(agents.map(({ name, mode, hidden }) => `${name} ${hidden ? "hidden" : mode}`)).toEqual([
      "build primary",
      "plan primary",
      "general subagent",
      "explore subagent",
      "compaction hidden",
      "title hidden",
      "summary hidden",
    ])
    expect(agents.every(({ native }) => native)).toBe(true)
  })

  it("let build do everything, and ask about secrets and other directories", () => {
    expect(action("build", "edit", "src/a.ts")).toBe("allow")
    expect(action("build", "read", "app/.env")).toBe("ask")
    expect(action("build", "read", ".env.example")).toBe("allow")
    expect(action("build", "external_directory", "/etc/*")).toBe("ask")
  })

  it("let plan edit plan files only and run no changing command", () => {
    expect(action("plan", "edit", "src/a.ts")).toBe("deny")
    expect(action("plan", "edit", ".docket/plans/x.md")).toBe("allow")
    expect(action("plan", "bash_change", "npm install")).toBe("deny")
    expect(action("plan", "task", "general")).toBe("allow")
    expect(action("plan", "task", "explore")).toBe("allow")
  })

  it("offer explore nothing that writes, plans or delegates", () => {
    expect([...hiddenTools(named("explore").permission, tools)]).toEqual(["edit", "todowrite", "todoread", "task"])
    expect(action("explore", "read", "a/.env.local")).toBe("ask")
  })

  it("offer general everything but todos, hidden agents nothing", () => {
    expect([...hiddenTools(named("general").permission, tools)]).toEqual(["todowrite", "todoread"])
    for (const name of ["title", "summary", "compaction"]) {
      expect(hiddenTools(named(name, { permission: "allow" }).permission, tools).size).toBe(tools.length)
    }
  })
})

describe("resolveAgents", () => {
  it("gives a custom agent every setting, unknown keys as options, mode all", () => {
    const agent = named("reviewer", {
      agent: {
        reviewer: {
          prompt: "Review.",
          model: "openai/gpt-x/y",
          variant: "high",
          temperature: 0.1,
          top_p: 0.5,
          steps: 3,
          verbosity: "low",
        },
      },
    })
    expect(agent).toMatchObject({
      mode: "all",
      native: false,
      model: { providerID: "openai", modelID: "gpt-x/y" },
      variant: "high",
      prompt: "Review.",
      temperature: 0.1,
      topP: 0.5,
      steps: 3,
      options: { verbosity: "low" },
    })
  })

  it("changes and disables built-in agents", () => {
    const agents = resolveAgents({ agent: { build: { color: "#f00" }, general: { disable: true } } })
    expect(agents.find(({ name }) => name === "build")?.color).toBe("#f00")
    expect(agents.some(({ name }) => name === "general")).toBe(false)
  })

  it("puts the agent's own rules over the user's rules for everyone", () => {
    const agent = named("build", { permission: { bash: "ask" }, agent: { build: { permission: { bash: "allow" } } } })
    expect(evaluatePermission("bash", "ls", agent.permission).action).toBe("allow")
    expect(evaluatePermission("bash", "ls", named("general", { permission: { bash: "ask" } }).permission).action).toBe(
      "ask",
    )
  })

  it("denies what the older tools map switches off", () => {
    const agent = named("x", { agent: { x: { tools: { write: false, bash: false, todowrite: true } } } })
    expect([...hiddenTools(agent.permission, tools)]).toEqual(["edit", "bash"])
  })

  it("says which agents exist when one is unknown", () => {
    expect(() => named("biuld")).toThrow('There is no agent "biuld". Did you mean "build"?')
  })
})

describe("defaultAgent", () => {
  it("is build, or what the config says", () => {
    expect(defaultAgent(resolveAgents({}), {}).name).toBe("build")
    expect(defaultAgent(resolveAgents({}), { default_agent: "plan" }).name).toBe("plan")
    expect(defaultAgent(resolveAgents({ agent: { build: { disable: true } } }), {}).name).toBe("plan")
  })

  it("refuses a subagent, a hidden one and an unknown one", () => {
    for (const name of ["explore", "title", "nobody"]) {
      expect(() => defaultAgent(resolveAgents({}), { default_agent: name })).toThrow("not an agent that can lead")
    }
  })
})
