import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { loadConfig } from "@docket/core/load-config"
import { evaluatePermission } from "@docket/core/rule"
import { loadTrusted, resolveAgents } from "@docket/core/test/load-trusted"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { otherPrograms } from "./other-programs.ts"

let root: string
let input: Parameters<typeof loadConfig>[0]
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "docket-opencode-")))
  const worktree = join(root, "project")
  await mkdir(join(worktree, "app"), { recursive: true })
  const project = { worktree, directory: join(worktree, "app") }
  const home = join(root, "home")
  input = { home, project, env: { TOKEN: "secret" }, programs: otherPrograms, trustedIn: async () => [] }
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string | object): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2))
  return file
}

/** The decisions of the rules of a trusted project. */
async function judged() {
  const { config, closures, problems } = await loadTrusted(input)
  const agents = resolveAgents(config, { closures })
  const action = (permission: string, pattern = "x", name = "build") => {
    return evaluatePermission(permission, pattern, agents.find((agent) => agent.name === name)?.permission ?? []).action
  }
  return { agents, action, problems }
}

describe("a project of OpenCode", () => {
  it("brings its models, agents, commands and rules as Docket settings", async () => {
    await put("project/opencode.json", {
      $schema: "https://example.com/config.json",
      model: "lab/one",
      small_model: "lab/small",
      provider: {
        lab: { npm: "@ai-sdk/openai-compatible", options: { baseURL: "http://127.0.0.1:9/v1" }, models: { one: {} } },
      },
      agent: { reviewer: { description: "Reviews", mode: "subagent", maxSteps: 7, tools: { write: false } } },
      mode: { docs: { prompt: "Write docs." } },
      instructions: ["docs/*.md", "https://example.com/rules.md"],
      subagent_depth: 3,
      experimental: { primary_tools: ["bash"] },
      share: "disabled",
    })
    const { config, problems } = await loadTrusted(input)
    expect(problems).toEqual([])
    expect(config).toMatchObject({
      model: "lab/one",
      small_model: "lab/small",
      provider: { lab: { options: { baseURL: "http://127.0.0.1:9/v1" } } },
      agent: {
        reviewer: { description: "Reviews", mode: "subagent", steps: 7, tools: { write: false } },
        docs: { prompt: "Write docs.", mode: "primary" },
      },
      instructions: [join(root, "project/docs/*.md"), "https://example.com/rules.md"],
      delegation: { depth: 3 },
      primary_tools: ["bash"],
      share: "disabled",
    })
  })

  it("reports each unused setting once with its place and shares nothing automatically", async () => {
    const file = await put(
      "project/opencode.jsonc",
      '{\n  // comment\n  "theme": "dark",\n  "tui": { "a": {} },\n  "plugin": ["x"],\n  "share": "auto",\n  "modle": "a/b",\n}',
    )
    const { config, problems } = await loadTrusted(input)
    expect(config).toEqual({ plugin: ["x"] })
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [3, '"theme" is not used by Docket: a theme is chosen in Settings.'],
      [4, '"tui" is not used by Docket: there is no terminal interface.'],
      [6, "nothing is shared by itself; people make links."],
      [7, 'unknown key "modle", ignored. Did you mean "model"?'],
    ])
    expect(problems[0]?.file).toBe(file)
  })

  it.each([
    ['{ "tools": { "bash": false } }', ["deny", "allow"]],
    ['{ "tools": { "*": false, "bash": true } }', ["allow", "deny"]],
    ['{ "tools": { "bash": false }, "permission": { "bash": "ask" } }', ["ask", "allow"]],
    ['{ "tools": { "write": false, "edit": true } }', ["allow", "deny"]],
    ['{ "tools": { "edit": true, "write": false } }', ["allow", "deny"]],
    ['{ "tools": { "bash": "off" } }', ["deny", "allow"]],
    ['{ "tools": "none", "permission": { "bash": "allow" } }', ["deny", "deny"]],
    ['{ "tools": { "bash": true }, "permission": "ask" }', ["ask", "ask"]],
    ['{ "tools": { "bash": true }, "permission": 5 }', ["ask", "ask"]],
    ['{ "mode": 5 }', ["ask", "ask"]],
    [
      '{ "agent": { "build": { "permission": { "bash": "deny" } } }, "mode": { "build": { "tools": { "edit": false } } } }',
      ["deny", "deny"],
    ],
    ['{ "tools": { "bash": false }', ["ask", "ask"]],
    ['{ "experimental": { "primary_tools": "bash" } }', ["ask", "ask"]],
  ])("has no more rights than in OpenCode: %s", async (text, wanted) => {
    await put("project/opencode.json", text)
    const { action } = await judged()
    expect([action("bash"), action("edit")]).toEqual(wanted)
  })

  it("reports the line of a wrong value, also under OpenCode's own name", async () => {
    await put(
      "project/opencode.json",
      '{\n  "mode": { "docs": {\n    "maxSteps": "many" } },\n  "tools": {\n    "bash": "off" },\n  "experimental": {\n    "primary_tools": 5, "hook": {} }\n}',
    )
    const { problems } = await loadTrusted(input)
    expect(problems.map(({ line, message }) => [line, message.split('"')[1]])).toEqual([
      [3, "docs"],
      [5, "permission.bash"],
      [6, "experimental"],
      [7, "primary_tools"],
    ])
  })

  it("counts only with trust; until then it makes rights stricter", async () => {
    await put("project/opencode.json", { model: "evil/one", permission: { bash: "allow", edit: "deny" } })
    const { config, trust, ceilings, problems } = await loadConfig(input)
    expect(config).toEqual({})
    expect(trust.state).toBe("untrusted")
    expect(ceilings).toMatchObject([{ only: "all", rules: { permission: { edit: { "*": "deny" } } } }])
    expect(problems.map(({ message }) => /^"(.*?)" is left out/.exec(message)?.[1])).toEqual([
      "model",
      "permission.bash",
    ])
  })

  it("lets its Markdown agents override opencode.json, as in OpenCode", async () => {
    await put("project/opencode.json", { agent: { mine: { permission: { bash: "allow" }, prompt: "Old." } } })
    await put("project/.opencode/agents/mine.md", "---\npermission:\n  bash: deny\n---\nNew.")
    const { agents, action } = await judged()
    expect(agents.find(({ name }) => name === "mine")?.prompt).toBe("New.")
    expect(action("bash", "ls", "mine")).toBe("deny")
  })

  it("brings its lists of providers once it is trusted", async () => {
    const settings = { disabled_providers: ["openai"], enabled_providers: ["openai", "lab"] }
    await put("project/opencode.json", settings)
    const { config, trust } = await loadConfig(input)
    expect([config, trust.entries.map(({ path, kind }) => [path.join("."), kind])]).toEqual([
      {},
      [
        ["disabled_providers", "provider"],
        ["enabled_providers", "provider"],
      ],
    ])
    expect(await loadTrusted(input)).toMatchObject({ config: settings, problems: [] })
  })

  it("is read at each level that has no docket.json", async () => {
    await put("project/opencode.json", { model: "a/root", default_agent: "plan" })
    await put("project/.opencode/opencode.json", { small_model: "a/small" })
    await put("project/app/opencode.json", { model: "a/hidden" })
    await put("project/app/.docket/docket.jsonc", '{ "share": "disabled" }')
    const { config, files } = await loadTrusted(input)
    expect(config).toEqual({ model: "a/root", default_agent: "plan", small_model: "a/small", share: "disabled" })
    expect(files).toHaveLength(3)
  })
})

describe("the user's own OpenCode configuration", () => {
  it("counts while there is no docket.json of the user", async () => {
    await put("home/.config/opencode/config.json", { model: "a/old" })
    await put(
      "home/.config/opencode/opencode.jsonc",
      '{ "model": "a/one", "provider": { "a": { "options": { "apiKey": "{env:TOKEN}" } } } }',
    )
    const { config } = await loadConfig(input)
    expect(config).toMatchObject({ model: "a/one", provider: { a: { options: { apiKey: "secret" } } } })
    await put("home/.config/docket/docket.json", {})
    expect((await loadConfig(input)).config).toEqual({})
  })
})
