import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { loadConfig } from "./load-config.ts"
import type { LoadConfigInput } from "./loaded-config.ts"
import { loadTrusted } from "./test/load-trusted.ts"
import { noPrograms } from "./test/no-programs.ts"

let root: string
let input: LoadConfigInput

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "docket-config-")))
  const worktree = join(root, "project")
  const project = { worktree, directory: join(worktree, "app") }
  input = {
    home: join(root, "home"),
    project,
    programs: noPrograms,
    env: { TOKEN: "secret-token" },
    trustedIn: async () => [],
  }
  await mkdir(project.directory, { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string | object): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content))
  return file
}

const globalFile = "home/.config/docket/docket.json"

describe("loadConfig", () => {
  it("is empty without files", async () => {
    const trust = { state: "nothing", directory: join(root, "project"), hash: expect.any(String), entries: [] }
    expect(await loadConfig(input)).toEqual({
      config: {},
      files: [],
      problems: [],
      closures: [],
      trust,
      ceilings: [],
      texts: new Map(),
      heldHooks: [],
      heldServers: [],
      provided: [],
      digests: [],
      usualFiles: [join(root, globalFile), join(root, "project/docket.json")],
      sources: [],
      denials: [],
      others: [],
      otherServers: [],
      programs: new Map(),
    })
  })

  it("too many values or problems are told in few words", async () => {
    const zeros = (count: number) => Array(count).fill(0)
    await put("project/docket.json", { instructions: zeros(500_000) })
    const whole = await loadConfig(input)
    expect(whole.problems).toMatchObject([{ message: expect.stringContaining("it holds more than 20,000 values") }])
    expect(whole.closures).toHaveLength(1)
    await put("project/docket.json", {})
    await put(globalFile, { instructions: zeros(10_000), permission: { bash: "deny" } })
    const { problems, config } = await loadConfig(input)
    expect(problems).toHaveLength(100)
    expect(config.permission).toMatchObject({ bash: { "*": "deny" } })
  })

  it("merges from the user's file down to the directory, the nearest wins", async () => {
    await put(globalFile, '{ "model": "a/one", "instructions": ["~/me.md"], "permission": "ask" }')
    await put(
      "project/docket.json",
      '{ "model": "a/two", "instructions": ["docs/*.md"], "permission": { "bash": "deny" } }',
    )
    await put("project/docket.jsonc", '{ /* nearer */ "small_model": "a/small", }')
    await put("project/app/docket.json", '{ "model": "a/three", "permission": { "bash": { "git *": "allow" } } }')
    const { config, files, problems } = await loadTrusted(input)
    expect(problems).toEqual([])
    expect(files).toHaveLength(4)
    expect(config).toEqual({
      model: "a/three",
      small_model: "a/small",
      instructions: [join(root, "home/me.md"), join(root, "project/docs/*.md")],
      permission: { "*": { "*": "ask" }, bash: { "*": "deny", "git *": "allow" } },
    })
  })

  it("reads a file with a byte order mark and reports a directory", async () => {
    await put("project/docket.json", '\uFEFF{ "default_agent": "plan" }')
    await mkdir(join(root, "project/app/docket.json"))
    const { config, problems } = await loadTrusted(input)
    expect(config).toEqual({ default_agent: "plan" })
    expect(problems).toEqual([
      {
        file: join(root, "project/app/docket.json"),
        line: null,
        column: null,
        message: "is a directory, not a regular file. Everything is asked until this is mended.",
      },
    ])
  })

  it("reports the position of bad JSON and skips only that file", async () => {
    const file = await put("project/docket.json", '{\n  "model": "a/b"\n  "agent": {}\n}')
    await put("project/app/docket.json", '{ "default_agent": "plan" }')
    const { config, problems } = await loadTrusted(input)
    expect(config).toEqual({ default_agent: "plan" })
    expect(problems[0]).toMatchObject({ file, line: 3, column: 3, message: expect.stringContaining('expected ","') })
  })

  it("reports the position of a wrong type and skips only that key", async () => {
    const text = '{\n  "agent": {\n    "x": { "steps": "many", "color": "red" }\n  },\n  "default_agent": "plan"\n}'
    const file = await put("project/docket.json", text)
    const { config, problems, closures } = await loadTrusted(input)
    expect(config).toEqual({ agent: { x: { color: "red" } }, default_agent: "plan" })
    expect(closures).toEqual([])
    expect(problems).toEqual([{ file, line: 3, column: 21, message: expect.stringContaining('agent "x": "steps": ') }])
  })

  it("suggests the intended key for an unknown one and keeps the rest", async () => {
    await put(
      "project/docket.json",
      '{\n  "modle": "a/b",\n  "default_agent": "plan",\n  "delegation": { "dept": 2 }\n}',
    )
    const { config, problems } = await loadTrusted(input)
    expect(config).toEqual({ default_agent: "plan", delegation: {} })
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [2, 'unknown key "modle", ignored. Did you mean "model"?'],
      [4, 'unknown key "dept", ignored. Did you mean "depth"?'],
    ])
  })

  it("reads agents from Markdown: frontmatter is config, the body is the prompt", async () => {
    await put(
      "project/.docket/agents/team/reviewer.md",
      "---\nmode: subagent\npermission:\n  edit: deny\nverbosity: low\n---\nReview it.\n",
    )
    await put("project/.docket/agents/plain.md", "Just a prompt.")
    const { config, problems } = await loadTrusted(input)
    expect(problems).toEqual([])
    expect(config.agent).toEqual({
      plain: { prompt: "Just a prompt." },
      "team/reviewer": {
        mode: "subagent",
        permission: { edit: { "*": "deny" } },
        verbosity: "low",
        prompt: "Review it.",
      },
    })
  })

  it("reports the line of a wrong frontmatter key and skips only it", async () => {
    const file = await put("project/.docket/agents/bad.md", "---\ndescription: x\nmode: boss\n---\nHi")
    const { config, problems } = await loadTrusted(input)
    expect(config.agent).toEqual({ bad: { description: "x", prompt: "Hi" } })
    expect(problems).toEqual([{ file, line: 3, column: 7, message: expect.stringContaining('"mode"') }])
  })

  it("fills in {env:} and {file:} in the user's file and reports gaps", async () => {
    await put("home/.config/docket/key.txt", "from-file\n")
    await put(
      globalFile,
      '{ "provider": { "p": { "options": { "apiKey": "{env:TOKEN}", "headers": { "a": "{file:key.txt}", "b": "{env:NOPE}" } } } } }',
    )
    const { config, problems } = await loadConfig(input)
    expect(config.provider?.p?.options).toEqual({ apiKey: "secret-token", headers: { a: "from-file", b: "" } })
    expect(problems.map(({ message }) => message)).toEqual(["the environment variable NOPE is not set"])
  })

  it("fills in {env:} and {file:} for models and addresses, never recursively", async () => {
    await put("home/.config/docket/url.txt", "http://127.0.0.1:9/v1\n")
    await put("home/.config/docket/prompt.md", "See {file:prompt.md} and {env:TOKEN}.")
    const file = await put(
      globalFile,
      '{ "model": "{env:MODEL}", "provider": { "p": { "options": { "baseURL": "{file:url.txt}" } } },\n"agent": { "a": { "prompt": "{file:prompt.md}" } },\n"small_model": "{env:TOKEN}" }',
    )
    const { config, problems } = await loadConfig({ ...input, env: { ...input.env, MODEL: "lab/one" } })
    expect(config).toEqual({
      model: "lab/one",
      provider: { p: { options: { baseURL: "http://127.0.0.1:9/v1" } } },
      agent: { a: { prompt: "See {file:prompt.md} and {env:TOKEN}." } },
    })
    expect(problems).toEqual([
      { file, line: 3, column: 16, message: expect.stringContaining('write a model as "provider/model" after {env:}') },
    ])
  })

  it.each([
    ["missing", "none.txt", "does not exist"],
    ["too large", "huge.txt", "is larger than 1048576 bytes"],
    ["a directory", ".", "is a directory"],
  ])("reports the line of a {file:} that is %s and fills nothing", async (_, name, message) => {
    await put("home/.config/docket/huge.txt", "x".repeat(1_048_577))
    const file = await put(globalFile, `{\n  "agent": { "a": { "prompt": "{file:${name}}" } } }`)
    const { config, problems } = await loadConfig(input)
    expect(config.agent?.a?.prompt).toBe("")
    expect(problems).toEqual([{ file, line: 2, column: 31, message: expect.stringContaining(message) }])
  })

  it("reads only the user's own files without a project, even in home", async () => {
    await put("home/docket.json", { model: "evil/one" })
    const { config, problems } = await loadConfig({ ...input, project: null })
    expect([config, problems]).toEqual([{}, []])
  })
})
