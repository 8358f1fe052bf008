import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { evaluatePermission } from "@docket/core/rule"
import { builtinAgentNames, builtinAgents, findAgent, loadTrusted, resolveAgents } from "@docket/core/test/load-trusted"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { otherPrograms } from "./other-programs.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-foreign-"))
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string): Promise<string> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
  return join(root, path)
}

async function load() {
  const project = join(root, "project")
  await mkdir(project, { recursive: true })
  const report = await loadTrusted({
    home: join(root, "home"),
    env: {},
    programs: otherPrograms,
    project: { worktree: project, directory: project },
  })
  const agents = resolveAgents(report.config, { closures: report.closures })
  const actionOf = (agent: string, permission: string, pattern = "a") =>
    evaluatePermission(permission, pattern, findAgent(agents, agent).permission).action
  return { ...report, agents, actionOf }
}

describe("an agent of Claude Code", () => {
  it("is a subagent with its listed tools, within the user's rules", async () => {
    await put("home/.config/docket/docket.json", '{ "permission": { "webfetch": "ask" } }')
    await put(
      "project/.claude/agents/reviewer.md",
      "---\nname: code-reviewer\ndescription: Reviews.\ntools: Read, Grep, WebFetch, Bash(git log:*), Bash(git diff *)\nmodel: inherit\nmaxTurns: 4\ncolor: purple\n---\nYou review.",
    )
    const { agents, actionOf, problems } = await load()
    expect(problems).toEqual([])
    expect(findAgent(agents, "code-reviewer")).toMatchObject({
      mode: "subagent",
      description: "Reviews.",
      prompt: "You review.",
      model: null,
      steps: 4,
      color: "purple",
      options: {},
    })
    const seen = ["read", "grep", "webfetch", "edit", "task", "todowrite"].map((name) =>
      actionOf("code-reviewer", name),
    )
    expect(seen).toEqual(["allow", "allow", "ask", "deny", "deny", "deny"])
    expect(actionOf("code-reviewer", "read", ".env")).toBe("ask")
    const commands = ["git log -1", "git diff a", "git push"].map((line) => actionOf("code-reviewer", "bash", line))
    expect(commands).toEqual(["ask", "ask", "deny"])
  })

  it("may list its tools, exclude some, or have all by default", async () => {
    await put("project/.claude/agents/list.md", "---\ntools: [Read, MultiEdit]\n---\nHi")
    await put("project/.claude/agents/without.md", "---\ndisallowedTools: Bash, Write\n---\nHi")
    await put("project/.claude/agents/free.md", "---\ndescription: Does all.\n---\nHi")
    const { actionOf, problems } = await load()
    expect(problems).toEqual([])
    const of = (agent: string) => ["read", "edit", "bash", "grep"].map((name) => actionOf(agent, name))
    expect(of("list")).toEqual(["allow", "allow", "deny", "deny"])
    expect(of("without")).toEqual(["allow", "deny", "deny", "allow"])
    expect(of("free")).toEqual(["allow", "allow", "allow", "allow"])
  })

  it("reports each unsupported setting in one line and works without it", async () => {
    const file = await put(
      "project/.claude/agents/a.md",
      "---\ndescription: A\nmodel: sonnet\ntools: Read, mcp__db__query\npermissionMode: bypassPermissions\nhooks: {}\ncolour: red\n---\nHi",
    )
    const { problems, agents, actionOf } = await load()
    expect(problems.map(({ line, message }) => [line, message.slice(0, 60)])).toEqual([
      [5, '"permissionMode" is not carried over: your rules count; writ'],
      [6, '"hooks" is not carried over: Docket runs no hooks of an agen'],
      [7, 'unknown key "colour", ignored. Did you mean "color"?'],
      [3, '"model": "sonnet" is a name of Claude Code\'s. The session\'s '],
      [4, '"tools": Docket has no tool like "mcp__db__query"; it is lef'],
    ])
    expect(problems.every((problem) => problem.file === file)).toBe(true)
    expect(findAgent(agents, "a")).toMatchObject({ model: null, options: {} })
    expect(actionOf("a", "bash")).toBe("deny")
  })

  it("takes a model by its full name", async () => {
    await put("project/.claude/agents/a.md", "---\nmodel: claude-sonnet-4-5\n---\nHi")
    const { agents } = await load()
    expect(findAgent(agents, "a").model).toEqual({ providerID: "anthropic", modelID: "claude-sonnet-4-5" })
  })

  it("does not change a built-in agent of the same name", async () => {
    await put("project/.claude/agents/plan.md", "---\nmodel: [\n---\nI plan.")
    await put("project/.claude/agents/other.md", "---\nname: build\n---\nI build.")
    const { agents, problems } = await load()
    expect(findAgent(agents, "plan").prompt).toBeNull()
    expect(findAgent(agents, "build").mode).toBe("primary")
    expect(problems.map(({ message }) => message.slice(-56))).toEqual(
      expect.arrayContaining([expect.stringContaining('The agent "build" is left out until this is mended.')]),
    )
    expect(builtinAgents.map(({ name }) => name)).toEqual([...builtinAgentNames])
  })
})

describe("an agent of OpenCode", () => {
  it("keeps its map of tools, its model, its options and its name", async () => {
    await put(
      "project/.opencode/agent/docs/writer.md",
      "---\nmode: subagent\nmodel: openai/gpt-5\ntemperature: 0.3\ntools:\n  bash: false\n  write: false\nreasoningEffort: low\n---\nYou write.",
    )
    const { agents, actionOf, problems } = await load()
    expect(problems).toEqual([])
    expect(findAgent(agents, "docs/writer")).toMatchObject({ temperature: 0.3, options: { reasoningEffort: "low" } })
    expect([actionOf("docs/writer", "bash"), actionOf("docs/writer", "edit")]).toEqual(["deny", "deny"])
  })
})

describe("a description", () => {
  it.each([
    ["with a colon", "Use this when: it is needed", "Use this when: it is needed"],
    [
      "with examples in one line",
      "Use it. Example:\\n<example>\\nContext: x: y",
      "Use it. Example:\\n<example>\\nContext: x: y",
    ],
    ["with a quote and a colon", 'Say "hi": then go', 'Say "hi": then go'],
  ])("may be written %s, without quotes", async (_, written, read) => {
    await put("project/.docket/agents/a.md", `---\ndescription: ${written}\npermission:\n  edit: deny\n---\nHi`)
    const { agents, problems, actionOf } = await load()
    expect(problems).toEqual([])
    expect(findAgent(agents, "a").description).toBe(read)
    expect(actionOf("a", "edit")).toBe("deny")
  })

  it("does not hide other mistakes, and gives no right", async () => {
    await put("project/.docket/agents/a.md", "---\ndescription: Use: it\npermission: edit: allow\n---\nHi")
    const { problems, agents } = await load()
    expect(problems[0]?.line).toBe(2)
    expect(() => findAgent(agents, "a")).toThrow("cannot be used")
  })
})

describe("two files for one agent", () => {
  it("do not mix: the nearer one applies, the other is reported", async () => {
    const far = await put("home/.config/docket/agents/a.md", "---\nmode: subagent\ntemperature: 0.1\n---\nFar.")
    const middle = await put("project/.claude/agents/a.md", "---\ntools: Read\n---\nOf Claude Code.")
    const near = await put("project/.docket/agents/a.md", "---\ndescription: Near\n---\nNear.")
    await put("project/docket.json", '{ "agent": { "a": { "color": "#f00" } } }')
    const { agents, problems, sources } = await load()
    expect(findAgent(agents, "a")).toMatchObject({
      mode: "all",
      temperature: null,
      description: "Near",
      prompt: "Near.",
      color: "#f00",
    })
    const message = `there are two files for the agent "a": ${near} is nearer and counts, this one does not.`
    expect(problems).toEqual([
      { file: far, line: 1, column: 1, message },
      { file: middle, line: 1, column: 1, message },
    ])
    expect(sources.map(({ file }) => file)).not.toContain(middle)
  })
})
