import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { expect, onTestFinished, test } from "vitest"
import { sandboxLack } from "../../acts/tool/test/sandbox-fixture.ts"
import { projectFixture } from "../../test/project-fixture.ts"
import { answer, lastUserText, scriptedRuntime, toolResults, usage } from "../../test/scripted-runtime.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Skills in the sandbox are not tried: ${lack}`)

interface Options {
  config?: object
  sandboxed?: boolean
  files?: Record<string, string>
}

/** A project with skills, and a model that makes the calls in a prompt (JSON). */
async function skilled({ config = {}, sandboxed = false, files = {} }: Options) {
  const { directory, env, sandbox } = await projectFixture("skilled", files)
  const calls: LanguageModelV4CallOptions[] = []
  const results: string[] = []
  const host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (text.startsWith("Write the summary")) return answer("The summary.")
      calls.push(options)
      const found = toolResults(options)
      results.push(...found)
      if (text === "Fill the context") return full()
      return found.length > 0 || !text.startsWith("[") ? answer("Done.") : answer("", ...JSON.parse(text))
    },
    { directory, env, config, ...(sandboxed && { sandbox }) },
  )
  const toolOf = (options: LanguageModelV4CallOptions | undefined) => {
    const tool = options?.tools?.find(({ name }) => name === "skill")
    return tool?.type === "function" ? (tool.description ?? "") : null
  }
  return { host, calls, results, toolOf, call: (...made: object[]) => host.prompt(JSON.stringify(made)) }
}

function full() {
  const inputTokens = { total: 99_000, noCache: 99_000, cacheRead: 0, cacheWrite: 0 }
  return answer("Filled.").map((part) =>
    part.type === "finish" ? { ...part, usage: { ...usage, inputTokens } } : part,
  )
}

const skillOf = (name: string, text = `Text of ${name}.`) =>
  `---\nname: ${name}\ndescription: About ${name}.\n---\n${text}`
const load = (name: string) => ({ tool: "skill", input: { name } })

test("a skill is listed by name and description, loaded with its files", async () => {
  const { host, calls, results, toolOf, call } = await skilled({
    files: { ".home/.claude/skills/pdf/SKILL.md": skillOf("pdf"), ".home/.claude/skills/pdf/fill.sh": "echo filled" },
  })
  await using _ = host
  await call(load("pdf"))
  expect(toolOf(calls[0])).toMatch(/\nSkills:\n- pdf: About pdf\.$/)
  expect(JSON.stringify(calls[0])).not.toContain("Text of pdf")
  const directory = join(host.directory, ".home/.claude/skills/pdf")
  expect(results).toEqual([
    `<skill name="pdf" from="user" directory="${directory}">\nText of pdf.\n</skill>\nBeside it in ${directory}; paths in it are relative to that:\n- fill.sh`,
  ])
  const { items } = await host.messages()
  const state = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))[0]
  expect(state).toMatchObject({ status: "completed", title: "pdf", metadata: { name: "pdf", from: "user", files: 1 } })
})

test("the skill tool exists only with skills that are trusted", async () => {
  const { host, calls, toolOf } = await skilled({ files: { ".docket/skills/pdf/SKILL.md": skillOf("pdf") } })
  await using _ = host
  await host.prompt("Hello")
  expect(toolOf(calls.at(-1))).toBeNull()
  const { projectID } = host.session
  const { trust } = await host.runtime.config.get(projectID)
  expect(trust.entries.map(({ kind, path }) => [kind, ...path])).toEqual([["skill", "skill", "pdf"]])
  await host.runtime.config.trust({ projectID, hash: trust.hash ?? "" })
  await host.prompt("Hello")
  expect(toolOf(calls.at(-1))).toContain("- pdf: About pdf.")
})

test("rules by skill name hide denied skills and ask for others", async () => {
  const { host, calls, results, toolOf, call } = await skilled({
    config: { permission: { skill: { "secret-*": "deny", careful: "ask" } } },
    files: Object.fromEntries(
      ["open", "careful", "secret-one"].map((name) => [`.home/.claude/skills/${name}/SKILL.md`, skillOf(name)]),
    ),
  })
  await using _ = host
  const ending = call(load("careful"), load("secret-one"))
  const asked = await host.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("not asked")
  expect(asked.properties.request).toMatchObject({ permission: "skill", patterns: ["careful"], always: ["careful"] })
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await ending
  expect(toolOf(calls[0])).toContain("- careful: About careful.\n- open: About open.")
  expect(toolOf(calls[0])).not.toContain("secret-one")
  expect(results).toEqual([
    expect.stringContaining("Text of careful."),
    expect.stringContaining('no skill "secret-one"'),
  ])
})

test("an agent denied every skill and its subagents have no skill tool", async () => {
  const { host, calls, toolOf } = await skilled({
    config: { agent: { build: { permission: { skill: "deny" } } } },
    files: { ".home/.claude/skills/pdf/SKILL.md": skillOf("pdf") },
  })
  await using _ = host
  const task = { description: "d", prompt: "Look around", subagent_type: "general" }
  await host.prompt(JSON.stringify([{ tool: "task", input: task }]))
  expect(calls.length).toBeGreaterThan(2)
  // A child has no right that its caller lacks.
  expect(new Set(calls.map(toolOf))).toEqual(new Set([null]))
})

test("after a compaction the model is told which skills it had loaded", async () => {
  const { host, calls, call } = await skilled({
    files: { ".home/.claude/skills/pdf/SKILL.md": skillOf("pdf", "Long text. ".repeat(1_000)) },
  })
  await using _ = host
  await call(load("pdf"))
  for (let round = 0; round < 2; round++) {
    await host.prompt("Fill the context")
    await host.prompt("x".repeat(4_000))
    expect(JSON.stringify(calls.at(-1)?.prompt)).toContain("These skills were loaded, and their texts are not part of")
  }
  const { items } = await host.messages()
  expect(items.filter(({ info }) => info.role === "assistant" && info.summary)).toHaveLength(2)
})

test("files beside a user's skill are read freely but never changed", async () => {
  const { host, results, call } = await skilled({
    files: { ".home/.claude/skills/pdf/SKILL.md": skillOf("pdf"), ".home/.claude/skills/pdf/notes.md": "The notes." },
  })
  await using _ = host
  const file = join(host.directory, ".home/.claude/skills/pdf/notes.md")
  await call({ tool: "read", input: { filePath: file } }, { tool: "write", input: { filePath: file, content: "x" } })
  expect(results[0]).toContain("The notes.")
  expect(results[1]).toMatch(/own configuration|no tool changes|Docket/)
})

test("a skill's files may be run and copied but never changed", async () => {
  const { host, results, call } = await skilled({
    files: {
      ".home/.claude/skills/pdf/SKILL.md": skillOf("pdf"),
      ".home/.claude/skills/pdf/show.sh": "cat $1",
      ".home/.claude/skills/pdf/notes.md": "The notes.",
    },
  })
  await using _ = host
  const directory = join(host.directory, ".home/.claude/skills/pdf")
  const commands = [
    `sh ${directory}/show.sh ${directory}/notes.md`,
    "cd ~/.claude/skills/pdf && sh show.sh notes.md",
    "cp ~/.claude/skills/pdf/notes.md copy.md && cat copy.md",
    `rm ${directory}/notes.md`,
    `cp copy.md ${directory}/notes.md`,
    `echo x > ${directory}/notes.md`,
    `sh -c 'rm "$0"' ${directory}/notes.md`,
    "cd ~/.claude/skills/pdf && rm notes.md",
  ]
  await call(...commands.map((command) => ({ tool: "bash", input: { command } })))
  const ran = results.map((text) =>
    text.startsWith("The notes.") ? "ran" : text.includes("belongs to") ? "refused" : text,
  )
  expect(ran).toEqual(["ran", "ran", "ran", "refused", "refused", "refused", "refused", "refused"])
  expect(host.events.some(({ type }) => type === "permission.asked")).toBe(false)
})

test.skipIf(lack !== null)("a skill's script runs in the sandbox with read-only access to itself", async () => {
  const kept = realpathSync(mkdtempSync(join(tmpdir(), "docket-kept-")))
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }))
  await writeFile(join(kept, "SKILL.md"), skillOf("pdf"))
  await writeFile(join(kept, "fill.sh"), 'echo filled; echo more >> "$0"')
  const { host, results, call } = await skilled({ sandboxed: true, config: { permission: "allow" } })
  await using _ = host
  await mkdir(join(host.directory, ".home/.claude/skills"), { recursive: true })
  await symlink(kept, join(host.directory, ".home/.claude/skills/pdf"))
  const bash = { tool: "bash", input: { command: `sh ${join(kept, "fill.sh")}` } }
  await call(bash)
  expect(results[0]).toMatch(/^filled\n.*Read-only file system/s)
})
