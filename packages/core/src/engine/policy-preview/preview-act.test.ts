import { mkdirSync, symlinkSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { createToolFixture, type ToolFixture } from "../../acts/tool/test/tool-fixture.ts"
import { ceilingRules } from "../../setup/agent/ceiling-rules.ts"
import { resolveAgents } from "../../setup/agent/resolve-agents.ts"
import { configCeiling } from "../../setup/config/config-report.ts"
import type { Config } from "../../setup/config/schema.ts"
import { previewAct, type RuledProject } from "./preview-act.ts"

const home = "/home/ada"
const file = `${home}/.config/docket/docket.json`

function project(config: Config, untrusted: Config = {}): RuledProject & { files: ToolFixture } {
  const files = createToolFixture()
  const { directory, worktree, outputDirectory, ownDirectories, directoryLimits } = files.context
  const ceilings = [configCeiling(untrusted, "all")]
  return {
    files,
    project: { directory, worktree },
    agents: resolveAgents(config, { home }),
    sources: [{ file, config }],
    home,
    ceilingsOf: (agent) => ceilings.map((ceiling) => ceilingRules(ceiling, agent, { home })),
    env: { PATH: process.env.PATH, HOME: home },
    outputDirectory,
    ownDirectories,
    directoryLimits,
    skillDirectories: [],
  }
}

const act = (permission: string, text: string, agent = "build", under: string | null = null) => ({
  permission,
  text,
  agent,
  under,
})

test("a preview names the deciding rule and its file for each command", async () => {
  const ruled = project({ permission: { bash: { "*": "ask", "git *": "allow", "git push *": "deny" } } })
  const judged = await previewAct(ruled, act("bash", "git add -A && git push origin main | tee log"))
  expect(judged.action).toBe("deny")
  const bash = judged.patterns.filter(({ permission }) => permission === "bash")
  expect(bash.map(({ pattern, action, rule, from }) => [pattern, action, rule?.pattern, from])).toEqual([
    ["git add -A", "allow", "git *", file],
    ["git push origin main", "deny", "git push *", file],
    ["tee log", "ask", "*", file],
  ])
})

test("a preview includes the files that a command reads and writes", async () => {
  const ruled = project({ permission: { edit: { "*": "allow", "*.lock": "deny" } } })
  ruled.files.write(".env", "KEY=1")
  const judged = await previewAct(ruled, act("bash", "cat .env > a.lock"))
  expect(judged.patterns.map(({ permission, pattern, action }) => [permission, pattern, action])).toEqual([
    ["bash", "cat .env", "allow"],
    ["edit", "a.lock", "deny"],
    ["read", ".env", "ask"],
  ])
})

test("files beside a skill are read without asking", async () => {
  const ruled = project({})
  const skill = path.join(ruled.files.outside, "skill")
  mkdirSync(skill, { recursive: true })
  const read = () => previewAct(ruled, act("read", path.join(skill, "form.md")))
  const run = () => previewAct(ruled, act("bash", `cat ${path.join(skill, "form.md")}`))
  expect([(await read()).action, (await run()).action]).toEqual(["ask", "ask"])
  ruled.skillDirectories = [skill]
  ruled.ownDirectories = [{ path: ruled.files.outside }]
  expect([(await read()).action, (await run()).action]).toEqual(["allow", "allow"])
})

test("a subagent has no permission that its caller lacks", async () => {
  const ruled = project({ agent: { plan: { permission: { bash: { "git push *": "deny" } } } } })
  expect(await previewAct(ruled, act("bash", "git push", "general"))).toMatchObject({ action: "allow" })
  const judged = await previewAct(ruled, act("bash", "git push", "general", "plan"))
  expect(judged.action).toBe("deny")
  // Plan mode itself refuses it as well.
  expect(judged.patterns.map(({ permission, of, agent, from }) => [permission, of, agent, from])).toEqual([
    ["bash_change", "caller", "plan", null],
    ["bash", "caller", "plan", file],
  ])
  expect(await previewAct(ruled, act("task", "explore", "general", "build"))).toMatchObject({ action: "deny" })
})

test("an untrusted project's rules still take rights away, shown as configuration", async () => {
  const ruled = project({ permission: { bash: "allow" } }, { permission: { bash: { "rm *": "deny" } } })
  const judged = await previewAct(ruled, act("bash", "rm -r build"))
  expect(judged.patterns[0]).toMatchObject({
    action: "deny",
    of: "configuration",
    rule: { pattern: "rm *" },
    from: null,
  })
})

test("a file outside the project needs permission; Docket's own is refused", async () => {
  const ruled = project({ permission: "allow" })
  symlinkSync("/etc", path.join(ruled.files.project, "etc"))
  const outside = await previewAct(project({}), act("read", "/etc/hostname"))
  expect(outside.patterns.map(({ permission, action }) => [permission, action])).toEqual([
    ["external_directory", "ask"],
    ["read", "allow"],
  ])
  const linked = await previewAct(ruled, act("edit", "etc/hostname"))
  expect(linked.patterns[0]).toMatchObject({ permission: "external_directory", pattern: "/etc/*" })
  const own = await previewAct(ruled, act("edit", `${ruled.ownDirectories[0]?.path}/docket.db`))
  expect(own).toMatchObject({ action: "deny", patterns: [], refused: expect.stringContaining("Docket") })
})

test("an unpredictable command asks when any command is restricted, naming no rule", async () => {
  const ruled = project({ permission: { bash: { "*": "allow", "git push *": "ask" } } })
  const judged = await previewAct(ruled, act("bash", 'eval "$X"'))
  expect(judged.action).toBe("ask")
  expect(judged.patterns.find(({ action }) => action === "ask")).toMatchObject({ pattern: "*", rule: null })
})

test("an unknown agent is refused with a list of the known ones", async () => {
  await expect(previewAct(project({}), act("bash", "ls", "exploer"))).rejects.toThrow("explore")
})
