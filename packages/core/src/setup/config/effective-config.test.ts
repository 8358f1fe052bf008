import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type EffectiveConfig, effectiveConfig } from "./effective-config.ts"
import { loadConfig } from "./load-config.ts"
import type { LoadConfigInput } from "./loaded-config.ts"
import { loadTrusted } from "./test/load-trusted.ts"
import { noPrograms } from "./test/no-programs.ts"

let root: string
let input: LoadConfigInput
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "docket-effective-")))
  const worktree = join(root, "project")
  await mkdir(worktree, { recursive: true })
  input = {
    home: join(root, "home"),
    programs: noPrograms,
    project: { worktree, directory: worktree },
    env: { TOKEN: "secret-token" },
    trustedIn: async () => [],
  }
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string | object): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2))
  return file
}

const own = "home/.config/docket/docket.json"
const found = ({ values }: EffectiveConfig, ...path: string[]) =>
  values.filter((value) => value.path.join(".") === path.join("."))

describe("effectiveConfig", () => {
  it("names the file and line of each value, or Docket's default", async () => {
    const user = await put(own, '{\n  "model": "a/user",\n  "permission": "ask",\n  "instructions": ["a.md"]\n}')
    const project = await put(
      "project/docket.jsonc",
      '{\n  "model": "a/project",\n  "permission": { "bash": { "git *": "allow" } },\n  "instructions": [\n    "b.md"]\n}',
    )
    const markdown = await put("project/.docket/agents/mine.md", "---\nmode: subagent\n---\nDo it.")
    const env = { ...input.env, DOCKET_CONFIG_CONTENT: '{ "small_model": "a/small" }' }
    const shown = effectiveConfig(await loadTrusted({ ...input, env }))
    const rows = shown.values.map(({ path, value, from }) => [
      path.join("."),
      value,
      from.layer === "default" ? null : `${from.file}:${from.line}`,
    ])
    expect(rows).toEqual([
      ["agent.mine.mode", "subagent", `${markdown}:2`],
      ["agent.mine.prompt", "Do it.", `${markdown}:4`],
      ["default_agent", "build", null],
      ["delegation.depth", "2", null],
      ["delegation.concurrency", "8", null],
      ["instructions", "a.md", `${user}:4`],
      ["instructions", "b.md", `${project}:5`],
      ["model", "a/project", `${project}:2`],
      ["permission.*.*", "ask", `${user}:3`],
      ["permission.bash.git *", "allow", `${project}:3`],
      ["sandbox.mode", "on", null],
      ["share", "manual", null],
      ["small_model", "a/small", "DOCKET_CONFIG_CONTENT:1"],
    ])
    expect(shown.files.map(({ layer, counts }) => [layer, counts])).toEqual([
      ["user", true],
      ["project", true],
      ["project", true],
      ["environment", true],
    ])
  })

  it("hides filled-in values, package options, secret names and secret patterns", async () => {
    await put("home/.config/docket/key", "from-file")
    const looks = `ghp_${"x9".repeat(18)}`
    await put(own, {
      provider: {
        p: {
          options: { baseURL: "https://ada:pass1@host.example/v1", apiKey: "{env:TOKEN}", organization: "written-1" },
          models: {
            m: { options: { secretSauce: "written-2" }, headers: { "x-a": "written-3" }, limit: { context: 5 } },
          },
        },
      },
      agent: { build: { prompt: `{file:key} and ${looks}`, options: { apiToken: "written-4", verbosity: "low" } } },
      permission: { bash: { "curl --token *": "deny", [`x ${looks}`]: "ask" } },
      redact: { person: looks },
      modle: looks,
    })
    const shown = effectiveConfig(await loadConfig(input))
    const text = JSON.stringify(shown)
    for (const secret of ["secret-token", "from-file", "pass1", "written-", looks]) expect(text).not.toContain(secret)
    expect(found(shown, "provider", "p", "options", "apiKey")[0]?.value).toBe("{env:TOKEN}")
    expect(found(shown, "provider", "p", "options", "baseURL")[0]?.value).toBe("https://(hidden)@host.example/v1")
    expect(found(shown, "provider", "p", "models", "m", "limit", "context")[0]?.value).toBe("5")
    expect(found(shown, "agent", "build", "verbosity")).toEqual([])
    expect(found(shown, "agent", "build", "options", "verbosity")[0]?.value).toBe("low")
    expect(found(shown, "permission", "bash", "curl --token *")[0]?.value).toBe("deny")
  })

  it("shows which files wait for trust and which stricter values already apply", async () => {
    const file = await put("project/docket.json", {
      model: "evil/one",
      permission: { bash: "deny" },
      sandbox: { mode: "required" },
    })
    const shown = effectiveConfig(await loadConfig(input))
    expect(shown.files).toEqual([{ file, layer: "project", counts: false }])
    expect(shown.missing).toEqual([join(root, own)])
    expect(found(shown, "model")).toEqual([])
    expect(found(shown, "permission", "bash")).toMatchObject([
      { value: "deny", from: { layer: "project", file, line: 4 } },
    ])
    expect(found(shown, "sandbox", "mode")).toMatchObject([
      { value: "required", from: { layer: "project", file, line: 7 } },
    ])
    expect(shown.problems.map(({ message }) => message)).toEqual([expect.stringContaining('"model" is left out')])
  })
})
