import { cp, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { answer, lastUserText, scriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { expect, onTestFinished, test } from "vitest"
import { findMigrations, writeMigration } from "./migrate.ts"
import { otherPrograms } from "./other-programs.ts"

/** A copy of a project as its users have it. */
async function copyOf(name: "opencode" | "claude"): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), `docket-${name}-`)))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await cp(fileURLToPath(new URL(`./test/projects/${name}`, import.meta.url)), directory, { recursive: true })
  return directory
}

/** What the model receives in one call. */
interface Told {
  system: string
  user: string
  results: string
}

/** A runtime on a project, whose model makes the call given as JSON in a prompt. */
async function open(directory: string, { trusted }: { trusted: boolean }) {
  const told: Told[] = []
  const host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      const user = lastUserText(options)
      const system = options.prompt.flatMap((message) => (message.role === "system" ? [message.content] : []))
      told.push({ system: system.join("\n"), user, results: results.join("\n") })
      const call = /^CALL (\{.*\})$/m.exec(user)?.[1]
      return call === undefined || results.length > 0 ? answer("Done.") : answer("", JSON.parse(call))
    },
    { directory, programs: otherPrograms },
  )
  onTestFinished(() => host[Symbol.asyncDispose]())
  const { runtime, session } = host
  const { projectID } = session
  if (trusted) {
    const { hash } = (await runtime.config.get(projectID)).trust
    await runtime.config.trust({ projectID, hash: hash ?? "" })
  }
  const toldBy = async (text: string) => {
    told.length = 0
    await host.prompt(text)
    return told
  }
  return {
    runtime,
    projectID,
    toldBy,
    /** The text that the model gets for a slash command. */
    async command(name: string, typed: string) {
      told.length = 0
      const turn = await runtime.prompt.submit(session.id, { parts: [{ type: "command", name, arguments: typed }] })
      await runtime.prompt.wait(turn.id)
      return told[0]?.user
    },
    /** Everything that the model receives in a turn that begins with this call. */
    call: (tool: string, input: object) => toldBy(`CALL ${JSON.stringify({ tool, input })}`),
    judge: async (permission: string, text: string, agent = "build") =>
      (await runtime.agent.judge(projectID, { permission, text, agent, under: null })).action,
  }
}

const delegatedTo = (subagent_type: string) => ({ description: "Look at it", prompt: "Look.", subagent_type })

test("an OpenCode project works unchanged with agents, commands, skills, instructions and rules", async () => {
  const { call, command, judge, runtime, projectID } = await open(await copyOf("opencode"), { trusted: true })
  const told = await call("task", delegatedTo("reviewer"))
  expect(told.some(({ system }) => system.includes("You review changes of the greeter."))).toBe(true)
  for (const part of ["Names are greeted one by one.", "without an exclamation mark"])
    expect(told[0]?.system).toContain(part)
  const loaded = (await call("skill", { name: "release-notes" })).at(-1)
  expect(loaded?.results).toContain("Group the commits by what a user gains.")

  expect(await command("check", "src/greet.py soon")).toContain(
    "Check src/greet.py soon against the guidelines, and mind: src/greet.py soon",
  )

  const commands = [await judge("bash", "git status -s"), await judge("bash", "git push"), await judge("bash", "ls")]
  expect(commands).toEqual(["allow", "deny", "ask"])
  expect(await judge("edit", "a.lock")).toBe("deny")
  expect(await judge("edit", "src/greet.py", "reviewer")).toBe("deny")
  expect(await judge("bash", "ls", "docs-writer")).toBe("deny")

  const { values, problems } = await runtime.config.effective(projectID)
  expect(values.find(({ path }) => path[0] === "model")?.value).toBe("anthropic/claude-sonnet-4-5")
  expect(problems.map(({ message }) => message)).toEqual([
    '"theme" is not used by Docket: a theme is chosen in Settings.',
  ])
})

test("an untrusted OpenCode project adds no agents or instructions, only stricter rules", async () => {
  const { toldBy, judge, runtime, projectID } = await open(await copyOf("opencode"), { trusted: false })
  expect((await runtime.agent.list(projectID)).map(({ name }) => name)).not.toContain("reviewer")
  expect(await judge("bash", "git push")).toBe("deny")
  const [first] = await toldBy("Hello.")
  expect(first?.system).not.toContain("exclamation mark")
})

test("a Claude Code project works unchanged with agents, commands, skills and instructions", async () => {
  const { call, command, judge } = await open(await copyOf("claude"), { trusted: true })
  const told = await call("task", delegatedTo("code-reviewer"))
  expect(told.some(({ system }) => system.includes("You review changes of the counter."))).toBe(true)
  for (const part of ["It counts words.", "thin space between thousands"]) expect(told[0]?.system).toContain(part)
  const loaded = (await call("skill", { name: "commit-style" })).at(-1)
  expect(loaded?.results).toContain("Begin the subject with a verb.")
  expect(await command("explain", "the counter")).toContain("Explain the counter in two sentences.")
  expect(await judge("edit", "src/count.py", "code-reviewer")).toBe("deny")
  expect(await judge("bash", "ls", "code-reviewer")).toBe("deny")
})

test("denials in Claude Code settings apply before trust, permissions never", async () => {
  const directory = await copyOf("claude")
  await writeFile(join(directory, ".env"), "PORT=1\n")
  const { judge, runtime, projectID } = await open(directory, { trusted: false })
  for (const [permission, text, action] of [
    ["bash", "curl x", "deny"],
    ["bash", "git log && curl x", "deny"],
    ["bash", "ls", "allow"],
    ["read", ".env", "deny"],
    ["bash", "cat .env", "deny"],
    ["webfetch", "https://example.org/", "deny"],
    ["edit", "docs/style.md", "allow"],
  ] as const)
    expect([text, await judge(permission, text)]).toEqual([text, action])
  const { others } = await runtime.config.effective(projectID)
  expect(others.map(({ state, words }) => [state, words.split(",")[0]])).toEqual([
    ["denials", "Only its 3 denials count"],
    ["waits", "Its hooks wait for your trust in the project."],
  ])
})

test("migrated permissions of Claude Code apply in docket.json", async () => {
  const directory = await copyOf("claude")
  const [migration] = await findMigrations({ home: join(directory, ".home"), env: {}, directory })
  if (migration === undefined) throw new Error("nothing was found")
  expect(migration.notes.map(({ key }) => key)).toEqual(["statusLine"])
  await writeMigration(migration)
  const { judge } = await open(directory, { trusted: true })
  for (const [command, action] of [
    ["git log -1", "allow"],
    ["git commit -m x", "ask"],
    ["curl x", "deny"],
    ["ls", "ask"],
  ] as const)
    expect([command, await judge("bash", command)]).toEqual([command, action])
  expect(await judge("edit", "docs/style.md")).toBe("allow")
  expect(await judge("edit", "src/count.py")).toBe("ask")
  expect(await judge("edit", "src/count.py", "explore")).toBe("deny")
  expect(await judge("read", ".env")).toBe("deny")
})
