import { fileURLToPath } from "node:url"
import { DocketError } from "@docket/core/error"
import { createProviderPackages } from "@docket/core/installed-packages"
import { expect, inject, test } from "vitest"
import { plugged } from "./test/plugged.ts"

/** Public plugins, and tools of theirs. */
const loading: [spec: string, tools: string[]][] = [
  ["@tarquinen/opencode-dcp@3.1.14", ["compress"]],
  ["oh-my-opencode-slim@2.2.24", ["ast_grep_search", "task_status"]],
  ["opencode-swarm@5.1.0", ["detect_domains"]],
  ["opencode-wakatime@1.3.9", []],
  ["opencode-supermemory@2.0.10", ["supermemory"]],
  ["opencode-anthropic-auth@0.0.13", []],
  ["opencode-openai-codex-auth@4.4.0", []],
  ["opencode-copilot-auth@0.0.9", []],
  ["opencode-gemini-auth@1.3.8", []],
  ["opencode-lmstudio@0.3.0", []],
  ["opencode-antigravity-auth@1.6.0", ["google_search"]],
  ["opencode-skills@0.1.7", []],
]
const packages = createProviderPackages({
  dataDirectory: fileURLToPath(new URL("../node_modules/.cache/real-plugins", import.meta.url)),
  env: process.env,
  clock: Date.now,
})

/** Installs the package where it is not yet. @returns why it cannot be had; null when it is there */
async function lackOf(spec: string): Promise<string | null> {
  const at = spec.lastIndexOf("@")
  if ((await packages.find({ name: spec.slice(0, at), version: spec.slice(at + 1) })) !== null) return null
  try {
    const { name, version, integrity } = await packages.lookUp(spec)
    await packages.install({ name, version, integrity })
    return null
  } catch (error) {
    if (error instanceof DocketError && error.code === "package_unavailable") return error.message
    throw error
  }
}

/** A project with the plugin; skips the test, with the reason, where the package cannot be had. */
async function withPackage(spec: string, skip: (reason: string) => void, files: Record<string, string> = {}) {
  const lack = await lackOf(spec)
  if (lack !== null) skip(lack)
  return plugged(files, { packages, config: { plugin: [spec] } })
}

test.runIf(inject("full")).for(loading)("%s loads", async ([spec, tools], { skip }) => {
  const { host, list } = await withPackage(spec, skip)
  await using _ = host
  expect(await host.prompt("Hello")).toMatchObject({ status: "completed" })
  const [item] = await list()
  expect([item?.state, item?.use.failures]).toEqual(["ready", 0])
  expect(item?.tools.map(({ id }) => id)).toEqual(expect.arrayContaining(tools))
})

test.runIf(inject("full"))("a plugin for Bun's own modules is named, with the reason", async ({ skip }) => {
  const { host, list } = await withPackage("opencode-pty@0.1.3", skip)
  await using _ = host
  await host.prompt("Hello")
  expect(await list()).toMatchObject([{ state: "failed", error: expect.stringContaining("'bun:'") }])
})

test.runIf(inject("full"))("agents of oh-my-opencode-slim count before the first turn", async ({ skip }) => {
  const { host, calls, list } = await withPackage("oh-my-opencode-slim@2.2.24", skip)
  await using _ = host
  const { projectID } = host.session
  const agents = await host.runtime.agent.list(projectID)
  const added = agents.filter(({ native }) => !native).map(({ name, mode }) => `${name}: ${mode}`)
  expect(added).toEqual(expect.arrayContaining(["explorer: subagent", "librarian: subagent", "orchestrator: primary"]))
  const commands = await host.runtime.command.list(projectID)
  expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["deepwork", "interview"]))
  await host.runtime.session.update(host.session.id, { agent: "orchestrator" })
  expect(await host.prompt("Hello")).toMatchObject({ status: "completed" })
  expect(JSON.stringify(calls[0]?.prompt[0])).toContain("orchestrat")
  expect(await list()).toMatchObject([{ error: expect.stringContaining("It changes default_agent, mcp too") }])
})

const skill = "---\nname: greeting\ndescription: How people are greeted in this project.\n---\nSay ahoy.\n"

/** Of each plugin a call, and what is in its result only with the plugin. */
const driven: [spec: string, call: { tool: string; input: object }, result: RegExp][] = [
  ["@tarquinen/opencode-dcp@3.1.14", { tool: "compress", input: {} }, /compress|The arguments do not fit/],
  ["oh-my-opencode-slim@2.2.24", { tool: "task_status", input: {} }, /task_id/],
  ["opencode-swarm@5.1.0", { tool: "detect_domains", input: { text: "a react app with sql" } }, /domains/],
  ["opencode-supermemory@2.0.10", { tool: "supermemory", input: { mode: "help" } }, /SUPERMEMORY_API_KEY not set/],
  ["opencode-skills@0.1.7", { tool: "skills_greeting", input: {} }, /greeting/],
]

test.runIf(inject("full")).for(driven)(
  "%s changes the request and answers its call",
  async ([spec, made, said], { skip }) => {
    const files = { ".opencode/skills/greeting/SKILL.md": skill }
    const outcome = async ({ host, call, calls, lastCall }: Awaited<ReturnType<typeof plugged>>) => {
      await using _ = host
      await call(made)
      const state = await lastCall()
      const result = state.status === "completed" ? state.output : state.status === "error" ? state.error : ""
      return { tools: calls[0]?.tools?.map(({ name }) => name) ?? [], result }
    }
    const without = await outcome(await plugged(files))
    const withPlugin = await outcome(await withPackage(spec, skip, files))
    expect(without.tools).not.toContain(made.tool)
    expect(withPlugin.tools).toContain(made.tool)
    expect(without.result).toMatch(/^There is no tool called/)
    expect(withPlugin.result).toMatch(said)
  },
)
