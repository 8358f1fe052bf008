import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { loadConfig } from "@docket/core/load-config"
import { evaluatePermission, rulesFromConfig } from "@docket/core/rule"
import { effectiveConfig } from "@docket/core/test/load-trusted"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { otherPrograms } from "./other-programs.ts"

let root: string
let worktree: string
let input: Parameters<typeof loadConfig>[0]

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "docket-others-")))
  worktree = join(root, "project")
  await mkdir(worktree)
  const home = join(root, "home")
  input = {
    home,
    project: { worktree, directory: worktree },
    env: {},
    programs: otherPrograms,
    trustedIn: async () => [],
  }
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string | object): Promise<string> {
  const file = join(worktree, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2))
  return file
}

const deny = (...rules: unknown[]) => put(".claude/settings.json", { permissions: { deny: rules } })

/** The decision of ceilings on an act: `deny` when one denies it. */
async function judge(permission: string, text: string): Promise<"deny" | "open"> {
  const { ceilings } = await loadConfig(input)
  const isDenied = ceilings.some(({ rules }) => {
    const own = rulesFromConfig(rules.permission ?? {}, { home: input.home })
    return own.length > 0 && evaluatePermission(permission, text, own).action === "deny"
  })
  return isDenied ? "deny" : "open"
}

describe("denials in .claude/settings.json", () => {
  it.each([
    ["Bash(curl:*)", "bash", { "curl x": "deny", curl: "deny", ls: "open" }],
    ["Bash(npm publish)", "bash", { "npm publish": "deny", "npm test": "open" }],
    ["Bash(git push *)", "bash", { "git push origin": "deny", "git pull": "open" }],
    ["Bash", "bash", { ls: "deny" }],
    ["Read(./.env)", "read", { ".env": "deny", "app/.env": "open" }],
    ["Read(.env)", "read", { ".env": "deny", "app/.env": "deny", "env.ts": "open" }],
    ["Read(secrets/**)", "read", { "secrets/a/b": "deny", "src/a": "open" }],
    ["Read(/config/keys.json)", "read", { "config/keys.json": "deny" }],
    ["Edit(docs/**)", "edit", { "docs/a.md": "deny", "src/a.ts": "open" }],
    ["Write(*.lock)", "edit", { "pnpm.lock": "deny", "a.ts": "open" }],
    ["MultiEdit", "edit", { "a.ts": "deny" }],
    ["WebFetch(domain:example.com)", "webfetch", { "https://example.com/a": "deny", "https://other.org/": "open" }],
    ["WebSearch", "websearch", { anything: "deny" }],
    ["Task(Explore)", "task", { explore: "deny", general: "open" }],
    ["Skill(deploy)", "skill", { deploy: "deny", test: "open" }],
    ["*", "read", { "a.ts": "deny" }],
  ])("%s denies what it denies in Claude Code", async (rule, permission, wanted) => {
    await deny(rule)
    const judged = await Promise.all(Object.keys(wanted).map(async (text) => [text, await judge(permission, text)]))
    expect(Object.fromEntries(judged)).toEqual(wanted)
  })

  it("apply at once without trust, and nothing else of the file does", async () => {
    const file = await put(".claude/settings.json", {
      model: "claude-opus-4-5",
      permissions: { allow: ["Bash"], ask: ["Edit"], deny: ["Bash(curl:*)"], defaultMode: "bypassPermissions" },
    })
    const { config, trust, problems, ceilings } = await loadConfig(input)
    expect([config, trust.state, problems]).toEqual([{}, "nothing", []])
    expect(ceilings).toEqual([{ only: "denials", rules: { permission: { bash: { "curl*": "deny" } } } }])
    const { values } = effectiveConfig(await loadConfig(input))
    expect(values.filter(({ path }) => path[0] === "permission")).toEqual([
      { path: ["permission", "bash", "curl*"], value: "deny", from: { layer: "project", file, line: 11, column: 7 } },
    ])
  })

  it("also hold in a trusted project that allows the same", async () => {
    await deny("Bash(curl:*)")
    await put("docket.json", { permission: { bash: { "*": "allow", "curl *": "allow" } } })
    const { hash } = (await loadConfig(input)).trust
    input = { ...input, trustedIn: async () => (hash === null ? [] : [{ hash }]) }
    expect((await loadConfig(input)).trust.state).toBe("trusted")
    expect(await judge("bash", "curl x")).toBe("deny")
  })

  it("apply from each directory down to the opened one, relative to it", async () => {
    await put(".claude/settings.local.json", { permissions: { deny: ["Bash(curl:*)"] } })
    await put("app/.claude/settings.json", { permissions: { deny: ["Read(./keys/**)", "Read(../top.txt)", "Edit"] } })
    input = { ...input, project: { worktree, directory: join(worktree, "app") } }
    expect(await judge("bash", "curl x")).toBe("deny")
    const read = ["app/keys/a", "keys/a", "top.txt", "other.txt"].map((file) => judge("read", file))
    expect(await Promise.all(read)).toEqual(["deny", "open", "deny", "open"])
    expect(await judge("edit", "a.ts")).toBe("deny")
  })

  it("match files in any notation of their path", async () => {
    await deny(`Read(/${join(worktree, "a.pem")})`, "Read(~/b.pem)", "Read(../c.pem)")
    expect(await judge("read", "a.pem")).toBe("deny")
    expect(await judge("read", join(input.home, "b.pem"))).toBe("deny")
    expect(await judge("read", join(root, "c.pem"))).toBe("deny")
    expect(await judge("read", "d.pem")).toBe("open")
  })

  it("that Docket's rules cannot express are reported with their place", async () => {
    const file = await deny("mcp__db__query", "Frobnicate(x)", "Read([ab].txt)", "KillShell", 7)
    const { problems, closures } = await loadConfig(input)
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('The denial "mcp__db__query" does nothing here: no MCP server is started'),
      expect.stringContaining('The denial "Frobnicate(x)" does nothing here: Docket has no such tool'),
      expect.stringContaining('The denial "Read([ab].txt)" covers everything of the tool'),
      expect.stringContaining('The denial "KillShell" does nothing here: Docket asks no leave for it'),
      expect.stringContaining("is no text"),
    ])
    expect(problems.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8])
    expect(new Set(problems.map((problem) => problem.file))).toEqual(new Set([file]))
    expect(await judge("read", "c.txt")).toBe("deny")
    expect(closures).toEqual([{ agent: null, deny: {}, unusable: null }])
  })

  it.each([
    ["no JSON", '{ "permissions": { "deny": ["Bash(curl:*)"], '],
    ["denials that are no list", '{ "permissions": { "deny": "Bash" } }'],
    ["permissions that are no map", '{ "permissions": [] }'],
    ["no object", "7"],
  ])("that cannot be read make Docket ask for everything: %s", async (_what, text) => {
    const file = await put(".claude/settings.json", text)
    const { problems, closures } = await loadConfig(input)
    expect(problems).toMatchObject([{ file, message: expect.stringContaining("Everything is asked until") }])
    expect(closures).toEqual([{ agent: null, deny: {}, unusable: null }])
    if (text.includes("curl")) expect(await judge("bash", "curl x")).toBe("deny")
  })

  it("count in both places when a key is written twice", async () => {
    await put(".claude/settings.json", '{"permissions":{"deny":["Bash(a)"]},"permissions":{"deny":["Bash(b)"]}}')
    expect(await Promise.all(["a", "b", "c"].map((text) => judge("bash", text)))).toEqual(["deny", "deny", "open"])
  })

  it("are not read through a link that leads out of the project", async () => {
    await writeFile(join(root, "outside.json"), JSON.stringify({ permissions: { deny: ["Bash"] } }))
    await mkdir(join(worktree, ".claude"))
    await symlink(join(root, "outside.json"), join(worktree, ".claude/settings.json"))
    const { problems } = await loadConfig(input)
    expect(problems).toMatchObject([{ message: expect.stringContaining("leads out of the project") }])
    expect(await judge("bash", "ls")).toBe("open")
  })
})

describe("files of other programs", () => {
  const others = async () => {
    const { others } = effectiveConfig(await loadConfig(input))
    return others.map(({ file, state, words }) => [file.slice(worktree.length + 1), state, words])
  }

  it("are listed with what Docket does with each", async () => {
    await put(".claude/settings.json", { hooks: { Stop: [] }, permissions: { deny: ["Bash(a)", "Bash(b)"] } })
    await put(".claude/settings.local.json", { permissions: { allow: ["Bash"] } })
    await put(".mcp.json", {})
    await put(".cursor/mcp.json", {})
    await put(".cursor/hooks.json", {})
    await put(".cursor/rules/style.mdc", "Be brief.")
    await put(".cursorrules", "Be brief.")
    await put(".github/copilot-instructions.md", "Be brief.")
    expect(await others()).toEqual([
      [".claude/settings.json", "denials", expect.stringContaining("Only its 2 denials count")],
      [".claude/settings.json", "ignored", "None of its hooks can be run."],
      [".claude/settings.local.json", "ignored", expect.stringContaining("It denies nothing, so nothing of it counts")],
      [".cursor/mcp.json", "ignored", "No MCP server is started."],
      [".cursor/hooks.json", "ignored", "No hook is run."],
      [".mcp.json", "ignored", "It has no MCP server that can be read."],
      [".cursor/rules", "ignored", expect.stringContaining("name its files in `instructions`")],
      [".cursorrules", "ignored", expect.stringContaining("name it in `instructions`")],
      [".github/copilot-instructions.md", "ignored", expect.stringContaining("name it in `instructions`")],
    ])
  })

  it("are used where instructions name them, once that is trusted", async () => {
    const file = await put(".github/copilot-instructions.md", "Be brief.")
    const provided = {
      kind: "instruction-file" as const,
      name: ".github/copilot-instructions.md",
      file,
      text: "Be brief.",
    }
    input = { ...input, finders: [async () => ({ files: [provided], problems: [] })] }
    expect(await others()).toEqual([[".github/copilot-instructions.md", "waits", expect.stringContaining("trust")]])
    const { hash } = (await loadConfig(input)).trust
    input = { ...input, trustedIn: async () => (hash === null ? [] : [{ hash }]) }
    expect(await others()).toEqual([
      [".github/copilot-instructions.md", "used", expect.stringContaining("reaches models")],
    ])
  })

  it("are not listed when missing, or without a project", async () => {
    expect(await others()).toEqual([])
    expect(effectiveConfig(await loadConfig({ ...input, project: null })).others).toEqual([])
  })
})
