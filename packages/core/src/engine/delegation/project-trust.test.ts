import { execFileSync } from "node:child_process"
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

/** A repository with this docket.json in its last commit. */
async function repository(committed: object): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-project-trust-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const git = (...args: string[]) => execFileSync("git", ["-C", directory, ...args])
  git("init", "-q", "-b", "main")
  await writeFile(join(directory, ".gitignore"), ".data\n.home\n")
  await writeFile(join(directory, "docket.json"), JSON.stringify(committed))
  git("add", "-A")
  git("-c", "user.name=T", "-c", "user.email=t@localhost", "commit", "-q", "-m", "first")
  return directory
}

/** The root delegates to `general`, which runs a command. */
const script: Script = (options) => {
  if (toolResults(options).length > 0) return answer(toolResults(options).join())
  if (lastUserText(options).endsWith("run it")) return answer("", { tool: "bash", input: { command: "echo ran" } })
  const input = { description: "Run it", prompt: "run it", subagent_type: "general" }
  return answer("", { tool: "task", input })
}

async function trustNow({ runtime, session }: ScriptedRuntime) {
  const { hash } = (await runtime.config.get(session.projectID)).trust
  return runtime.config.trust({ projectID: session.projectID, hash: hash ?? "" })
}

/** The status of the only child's command. */
async function childCommand({ runtime, session, messages }: ScriptedRuntime) {
  const [child] = await runtime.session.children(session.id)
  const parts = (await messages(child?.id ?? "")).items.flatMap((message) => message.parts)
  return parts.find((part) => part.type === "tool")?.state.status
}

test("a docket.json in a task's git worktree gives the task no right", async () => {
  const directory = await repository({ permission: "allow" })
  const config = { permission: { bash: "ask" }, agent: { general: { isolation: "worktree" } } }
  // The task's worktree has the committed file.
  await writeFile(join(directory, "docket.json"), '{ "$schema": "" }')
  await using host = await scriptedRuntime(script, { directory, config })
  await trustNow(host)
  const ended = host.prompt("Start")
  const asked = await host.until((event) => event.type === "permission.asked")
  const request = asked.type === "permission.asked" ? asked.properties.request : null
  expect(request).toMatchObject({ permission: "bash" })
  await host.runtime.permission.reply(request?.id ?? "", "reject", { message: "No." })
  await ended
  expect(await childCommand(host)).toBe("error")
})

test("a child may not do what is denied to its parent's agent", async () => {
  const directory = await repository({ permission: "allow", agent: { build: { permission: "allow" } } })
  const config = { agent: { build: { permission: { bash: "deny" } } } }
  await using host = await scriptedRuntime(script, { directory, config })
  expect(await trustNow(host)).toMatchObject({ state: "trusted" })
  await host.prompt("Start")
  expect(await childCommand(host)).toBe("error")
})

test("trust applies a project's agents and notifies followers; revoking removes them", async () => {
  const directory = await repository({ agent: { helper: { mode: "primary" } } })
  await using host = await scriptedRuntime(script, { directory })
  const { runtime, session } = host
  const { projectID } = session
  const names = async () => (await runtime.agent.list(projectID)).map(({ name }) => name)
  const stop = new AbortController()
  const feed = runtime.feed({ others: true }, stop.signal)[Symbol.asyncIterator]()
  const next = feed.next()
  expect(await names()).not.toContain("helper")
  await expect(runtime.config.trust({ projectID, hash: "0".repeat(64) })).rejects.toMatchObject({
    code: "config_changed",
    message: expect.stringContaining("Look at it again"),
  })
  await trustNow(host)
  expect((await next).value).toMatchObject({ type: "config.updated", properties: { projectID } })
  expect(await names()).toContain("helper")
  expect(await runtime.config.revoke(projectID)).toMatchObject({ state: "untrusted" })
  expect(await names()).not.toContain("helper")
  stop.abort()
})
