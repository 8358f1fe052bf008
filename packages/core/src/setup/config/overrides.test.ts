import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { resolveAgents } from "../agent/resolve-agents.ts"
import { loadConfig } from "./load-config.ts"
import type { LoadConfigInput } from "./loaded-config.ts"
import { loadTrusted } from "./test/load-trusted.ts"
import { noPrograms } from "./test/no-programs.ts"

let root: string
let input: LoadConfigInput
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "docket-overrides-")))
  const worktree = join(root, "project")
  await mkdir(worktree, { recursive: true })
  input = {
    home: join(root, "home"),
    project: { worktree, directory: worktree },
    env: {},
    programs: noPrograms,
    trustedIn: async () => [],
  }
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: object): Promise<string> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(content))
  return file
}

describe("what the environment and the command line set", () => {
  it("stands above every file, the command line above the environment", async () => {
    await put("home/.config/docket/docket.json", { model: "a/user", small_model: "a/user", share: "disabled" })
    await put("project/docket.json", { model: "a/project", small_model: "a/project", default_agent: "plan" })
    const named = await put("named.json", { model: "a/named", delegation: { depth: 1 } })
    const env = { DOCKET_CONFIG: named, DOCKET_CONFIG_CONTENT: '{ "delegation": { "depth": 3 } } // comment' }
    const { config, files } = await loadTrusted({ ...input, env, commandLine: ['{ "delegation": { "depth": 4 } }'] })
    expect(config).toEqual({
      model: "a/named",
      small_model: "a/project",
      default_agent: "plan",
      share: "disabled",
      delegation: { depth: 4 },
    })
    expect(files.slice(-3)).toEqual([named, "DOCKET_CONFIG_CONTENT", "--config"])
  })

  it("needs no trust, and its denials hold in all projects", async () => {
    await put("project/docket.json", { model: "evil/one", permission: { bash: "allow" } })
    const env = { DOCKET_CONFIG_CONTENT: '{ "model": "a/mine", "permission": { "bash": "deny" } }' }
    expect((await loadConfig({ ...input, env })).config.model).toBe("a/mine")
    const { config, ceilings } = await loadTrusted({ ...input, env })
    expect(config.permission).toEqual({ bash: { "*": "deny" } })
    expect(ceilings).toMatchObject([{ only: "denials", rules: { permission: { bash: { "*": "deny" } } } }])
  })

  it("does not loosen a project's stricter sandbox", async () => {
    await put("project/docket.json", { sandbox: { mode: "required" } })
    const env = { DOCKET_CONFIG_CONTENT: '{ "sandbox": { "mode": "on" } }' }
    expect((await loadConfig({ ...input, env })).config.sandbox?.mode).toBe("required")
  })

  it.each([
    [
      "is not there",
      () => ({ DOCKET_CONFIG: join(root, "none.json") }),
      "does not exist, though DOCKET_CONFIG names it",
    ],
    ["has no whole path", () => ({ DOCKET_CONFIG: "none.json" }), "write the whole path"],
    ["is a directory", () => ({ DOCKET_CONFIG: root }), "is a directory"],
    ["is not JSON", () => ({ DOCKET_CONFIG_CONTENT: "{ model" }), "not valid JSON"],
  ])("asks for everything where it cannot be read because it %s", async (_, env, message) => {
    const { config, closures, problems } = await loadConfig({ ...input, env: env() })
    expect(problems[0]?.message).toContain(message)
    const build = resolveAgents(config, { closures }).find(({ name }) => name === "build")
    expect(build?.permission.some(({ action }) => action === "allow")).toBe(false)
  })
})
