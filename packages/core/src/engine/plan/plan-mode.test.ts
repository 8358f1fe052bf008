import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import { answer, type Script, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

async function gitProject(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-plan-")))
  execFileSync("git", ["init", "-q"], { cwd: directory })
  return directory
}

async function prompt(host: ScriptedRuntime, text: string, agent: string) {
  const turn = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text }], agent })
  return host.runtime.prompt.wait(turn.id)
}

async function states(host: ScriptedRuntime, sessionID?: string): Promise<string[]> {
  const { items } = await host.messages(sessionID)
  const calls = items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
  return calls.map(({ state }) => state.status)
}

/** The errors of the calls that failed. */
async function refusals(host: ScriptedRuntime, sessionID?: string): Promise<string[]> {
  const { items } = await host.messages(sessionID)
  const calls = items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
  return calls.flatMap(({ state }) => (state.status === "error" ? [state.error] : []))
}

/** Docket's reminder at the end of a request. */
function reminderOf(options: Parameters<Script>[0]): string {
  return JSON.stringify(options.prompt).match(/<system-reminder>\\nPlan mode.*?<\/system-reminder>/)?.[0] ?? ""
}

const planIn = (reminder: string) => /into (\S+\.md)\./.exec(reminder)?.[1] ?? ""

test("plan mode freely writes its own plan and nothing else", async () => {
  const directory = await gitProject()
  const reminders: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      reminders.push(reminderOf(options))
      if (isAfterCalls(options)) return answer("Planned.")
      const content = "1. Do it"
      return answer(
        "",
        { tool: "write", input: { filePath: planIn(reminders[0] ?? ""), content } },
        { tool: "write", input: { filePath: ".docket/plans/other.md", content } },
        { tool: "write", input: { filePath: "src/a.ts", content } },
        { tool: "bash", input: { command: "git status --short && ls" } },
        { tool: "bash", input: { command: "echo x > src.txt" } },
        { tool: "bash", input: { command: "touch by-shell" } },
      )
    },
    { directory, config: { permission: "allow" } },
  )
  expect(await prompt(host, "Add a login page", "plan")).toMatchObject({ status: "completed" })
  expect(await states(host)).toEqual(["completed", "error", "error", "completed", "error", "error"])
  expect(await refusals(host)).toEqual([
    expect.stringMatching(/^Plan mode does not allow edit on "\.docket\/plans\/other\.md"\. /),
    expect.stringMatching(/^Plan mode does not allow edit on "src\/a\.ts"\. /),
    expect.stringMatching(/^Plan mode does not allow bash_change on "echo x" \(here only commands run/),
    expect.stringMatching(/^Plan mode does not allow bash_change on "touch by-shell" \(here only commands run/),
  ])
  expect(await host.runtime.permission.pending()).toEqual([])
  const { plan = "" } = await host.runtime.session.get(host.session.id)
  expect(plan).toMatch(/^\.docket\/plans\/\d{4}-\d\d-\d\d-\d{6}-add-a-login-page-\w+\.md$/)
  expect(await readFile(join(directory, plan), "utf8")).toBe("1. Do it")
  for (const name of [".docket/plans/other.md", "src", "src.txt", "by-shell"]) {
    expect(existsSync(join(directory, name)), name).toBe(false)
  }
  expect(reminders[0]).toContain("It is not there yet")
  expect(reminders[1]).toContain("It holds a plan already")
})

test("without git the plan lies in Docket's data, read-only for build", async () => {
  let file = ""
  await using host = await scriptedRuntime((options) => {
    if (isAfterCalls(options)) return answer("Done.")
    if (lastAgentIsPlan(options)) {
      file = planIn(reminderOf(options))
      const otherPlan = join(file, "../other.md")
      return answer(
        "",
        { tool: "write", input: { filePath: file, content: "1. Do it" } },
        { tool: "write", input: { filePath: otherPlan, content: "1. Do it" } },
      )
    }
    return answer(
      "",
      { tool: "read", input: { filePath: file } },
      { tool: "write", input: { filePath: file, content: "other" } },
    )
  })
  await prompt(host, "Add a page", "plan")
  expect(await states(host)).toEqual(["completed", "error"])
  expect(file.startsWith(".data/plans/")).toBe(true)
  await prompt(host, "Go", "build")
  expect((await states(host)).slice(2)).toEqual(["completed", "error"])
  expect(await readFile(join(host.directory, file), "utf8")).toBe("1. Do it")
})

test("subagents of plan mode can only read", async () => {
  const directory = await gitProject()
  await using host = await scriptedRuntime(
    (options) => {
      const text = JSON.stringify(options.prompt)
      if (isAfterCalls(options)) return answer("Done.")
      if (text.includes("You are a subagent")) {
        return answer(
          "",
          { tool: "write", input: { filePath: "a.ts", content: "x" } },
          { tool: "write", input: { filePath: ".docket/plans/other.md", content: "x" } },
          { tool: "bash", input: { command: "rm -rf src" } },
          { tool: "bash", input: { command: "git log --oneline || ls" } },
        )
      }
      const input = { subagent_type: "general", description: "Design", prompt: "Design it" }
      return answer("", { tool: "task", input })
    },
    { directory, config: { permission: "allow" } },
  )
  await prompt(host, "Add a page", "plan")
  const [child] = await host.runtime.session.children(host.session.id)
  expect(await states(host, child?.id)).toEqual(["error", "error", "error", "completed"])
  for (const refusal of await refusals(host, child?.id)) expect(refusal).toMatch(/^Plan mode does not allow /)
})

test("a symlinked plans directory never leads plan writes outside the project", async () => {
  const directory = await gitProject()
  const outside = await realpath(await mkdtemp(join(tmpdir(), "docket-outside-")))
  await mkdir(join(directory, ".docket"))
  await symlink(outside, join(directory, ".docket/plans"))
  await using host = await scriptedRuntime(
    (options) =>
      isAfterCalls(options)
        ? answer("Done.")
        : answer("", { tool: "write", input: { filePath: planIn(reminderOf(options)), content: "1. Out" } }),
    { directory },
  )
  const turn = await host.runtime.prompt.submit(host.session.id, {
    parts: [{ type: "text", text: "Plan" }],
    agent: "plan",
  })
  const asked = await host.until((event) => event.type === "permission.asked")
  expect(asked).toMatchObject({ properties: { request: { permission: "external_directory" } } })
  await host.runtime.abort(host.session.id)
  await host.runtime.prompt.wait(turn.id)
  expect(await readdir(outside)).toEqual([])
})

test("build learns the plan's path only when the file exists", async () => {
  const directory = await gitProject()
  const reminders: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      reminders.push(reminderOf(options))
      return answer("Done.")
    },
    { directory },
  )
  await prompt(host, "Add a page", "plan")
  await prompt(host, "Go", "build")
  expect(reminders.at(-1)).toContain("Plan mode is off")
  expect(reminders.at(-1)).not.toContain(".docket/plans")
  await prompt(host, "Plan again", "plan")
  const { plan = "" } = await host.runtime.session.get(host.session.id)
  await mkdir(join(directory, ".docket/plans"), { recursive: true })
  await writeFile(join(directory, plan), "1. Do it")
  await prompt(host, "Go", "build")
  expect(reminders.at(-1)).toContain(`There is a plan in ${plan}`)
})

function lastAgentIsPlan(options: Parameters<Script>[0]): boolean {
  return reminderOf(options).includes("Plan mode is on")
}

/** Whether the reminder is a separate message after the results of calls. */
function isAfterCalls({ prompt }: Parameters<Script>[0]): boolean {
  return prompt.findLast(({ role }) => role !== "user")?.role === "tool"
}
