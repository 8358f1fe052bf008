import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { evaluatePermission } from "../../ground/rule/index.ts"
import { defaultAgent, findAgent, resolveAgents } from "../agent/resolve-agents.ts"
import { definitionLimits } from "./definitions.ts"
import { loadConfig } from "./load-config.ts"
import { noPrograms } from "./test/no-programs.ts"

let root: string
let agents: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-agents-"))
  agents = join(root, "home/.config/docket/agents")
  await mkdir(agents, { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

async function put(name: string, content: string): Promise<string> {
  const file = join(agents, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  return file
}
async function load() {
  const report = await loadConfig({
    project: null,
    home: join(root, "home"),
    env: {},
    programs: noPrograms,
    trustedIn: async () => [],
  })
  return { ...report, agents: resolveAgents(report.config, { closures: report.closures }) }
}

describe("an agent file that cannot be read", () => {
  it.each([
    [
      "an alias",
      "---\nmode: primary\npermission:\n  edit: *.ts\n---\nHi",
      4,
      'put it in quotes if it is a pattern: "*.ts"',
    ],
    ["a merge key", "---\na: &a { edit: deny }\npermission:\n  <<: *a\n---\nHi", 4, "YAML"],
    ["an alias of an anchor", "---\na: &a 1\nb: *a\n---\nHi", 3, '"*a" is a YAML alias here'],
    [
      "aliases that grow",
      `---\na: &a [x,x]\n${[..."bcdefghij"].map((name, at) => `${name}: &${name} [*${"abcdefghi"[at]},*${"abcdefghi"[at]}]`).join("\n")}\n---\nHi`,
      3,
      "YAML alias",
    ],
    ["a tab", "---\npermission:\n\tedit: deny\n---\nHi", 3, "Tabs"],
    ["a key twice", "---\nmode: primary\nmode: subagent\n---\nHi", 3, "unique"],
    ["frontmatter without an end", "---\nmode: primary\n", 1, 'close it with a line "---"'],
    ["a list for a map", "---\n- a\n---\nHi", 2, "not a map"],
    ["too long frontmatter", `---\nx: ${"y".repeat(40_000)}\n---\nHi`, 2, "longer than 32768"],
    ["deep frontmatter", `---\nx: ${"[".repeat(30_000)}\n---\nHi`, 2, ""],
    ["nothing", "\n", 1, "empty"],
  ])("because of %s is reported with its line; other agents still work", async (_, text, line, message) => {
    const file = await put("bad.md", text)
    await put("good.md", "---\nmode: primary\n---\nHi")
    const { problems, agents } = await load()
    expect(problems).toMatchObject([{ file, line, message: expect.stringContaining(message) }])
    expect(problems[0]?.message).toContain('The agent "bad" is left out until this is mended.')
    expect(findAgent(agents, "good").prompt).toBe("Hi")
    expect(findAgent(agents, "build").name).toBe("build")
  })

  it("gives its sessions a clear error and no other agent", async () => {
    const file = await put("build.md", "---\npermission:\n  edit: *.ts\n---\nHi")
    await put("team/reviewer.md", "---\npermission: [\n---\nHi")
    const { agents, config } = await load()
    expect(() => findAgent(agents, "team/reviewer")).toThrow('The agent "team/reviewer" cannot be used')
    expect(() => findAgent(agents, "build")).toThrow(`${file}:3 "*.ts" is a YAML alias here`)
    expect(() => defaultAgent(agents, config)).toThrow('The agent "build" cannot be used')
    expect(() => defaultAgent(agents, { default_agent: "team/reviewer" })).toThrow("cannot be used")
    const build = agents.find(({ name }) => name === "build")
    expect(evaluatePermission("read", "a", build?.permission ?? []).action).toBe("deny")
  })

  it("is never looser wherever it is cut off", async () => {
    const text = "---\nmode: primary\npermission:\n  edit: deny\n---\nYou build."
    for (let end = 0; end <= text.length; end++) {
      await put("build.md", text.slice(0, end))
      const build = (await load()).agents.find(({ name }) => name === "build")
      expect(evaluatePermission("edit", "a", build?.permission ?? []).action).toBe("deny")
    }
  })

  it("may be a pipe, a device or too large, each reported", async () => {
    execFileSync("mkfifo", [join(agents, "pipe.md")])
    await symlink("/dev/zero", join(agents, "zero.md"))
    await symlink(agents, join(agents, "loop.md"))
    await put("large.md", "x".repeat(131_073))
    const { problems, agents: resolved } = await load()
    const told = problems.map(({ file, message }) => `${file.slice(agents.length + 1)} ${message}`)
    expect(told).toEqual(
      expect.arrayContaining([
        'pipe.md is a pipe, not a regular file. The agent "pipe" is left out until this is mended.',
        'zero.md is a device, not a regular file. The agent "zero" is left out until this is mended.',
        'large.md is larger than 131072 bytes, the most that is read. The agent "large" is left out until this is mended.',
      ]),
    )
    expect(() => findAgent(resolved, "pipe")).toThrow("is a pipe")
  })
})

describe("an agents directory", () => {
  it("is looked at within bounds; beyond them everything is asked", async () => {
    const directories = Array.from({ length: definitionLimits.depth + 2 }, () => "d").join("/")
    await put(`${directories}/deep.md`, "Hi")
    const deep = await load()
    expect(deep.problems).toMatchObject([
      { file: agents, message: expect.stringContaining("nested more than 8 levels") },
    ])
    expect(evaluatePermission("edit", "a", findAgent(deep.agents, "build").permission).action).toBe("ask")
    await rm(join(agents, "d"), { recursive: true })
    for (let at = 0; at <= definitionLimits.entries; at++) await put(`${at}.txt`, "")
    expect((await load()).problems).toMatchObject([{ message: expect.stringContaining("more than 1000 entries") }])
  })

  it("may be a link and hold links", async () => {
    await put("a/one.md", "One")
    await symlink("a", join(agents, "b"))
    expect(Object.keys((await load()).config.agent ?? {})).toEqual(["a/one", "b/one"])
  })
})

describe("the frontmatter of an agent file", () => {
  it.each([
    ["empty", "---\n---\nHi", {}],
    ["empty with blank lines", "---\n\n---\nHi", {}],
    ["only a comment", "---\n# later\n---\nHi", {}],
    ["with CRLF and a byte order mark", "\uFEFF---\r\nmode: primary\r\n---\r\nHi\r\n", { mode: "primary" }],
    [
      "with quoted patterns",
      '---\npermission:\n  edit: { "*.ts": deny }\n---\nHi',
      { permission: { edit: { "*.ts": "deny" } } },
    ],
    ["missing", "Hi", {}],
  ])("may be %s", async (_, text, settings) => {
    await put("a.md", text)
    const { config, problems } = await load()
    expect(problems).toEqual([])
    expect(config.agent?.a).toEqual({ ...settings, prompt: "Hi" })
  })

  it("gives unknown keys and those of `options` to the provider together", async () => {
    await put("a.md", "---\nverbosity: low\noptions:\n  reasoningEffort: high\n---\nHi")
    await writeFile(
      join(root, "home/.config/docket/docket.json"),
      '{ "agent": { "b": { "seed": 1, "options": { "user": "me" } } } }',
    )
    const { agents } = await load()
    expect(findAgent(agents, "a").options).toEqual({ verbosity: "low", reasoningEffort: "high" })
    expect(findAgent(agents, "b").options).toEqual({ seed: 1, user: "me" })
  })

  it("denies what an unreadable rule names and keeps the rest", async () => {
    const file = await put("a.md", "---\nsteps: many\npermission:\n  bash: alow\n  edit:\n    'a': 5\n---\nHi")
    const { problems, agents } = await load()
    expect(problems.map(({ line, message }) => [line, message.slice(0, 24)])).toEqual([
      [4, '"permission.bash": "alow'],
      [6, '"permission.edit.a": 5 i'],
      [2, '"steps": Invalid input: '],
    ])
    expect(problems.every((problem) => problem.file === file)).toBe(true)
    const { permission } = findAgent(agents, "a")
    expect(evaluatePermission("bash", "ls", permission).action).toBe("deny")
    expect(evaluatePermission("edit", "a", permission).action).toBe("deny")
    expect(evaluatePermission("edit", "b", permission).action).toBe("allow")
  })
})
