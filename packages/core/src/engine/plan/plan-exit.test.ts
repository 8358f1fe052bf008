import { execFileSync } from "node:child_process"
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { FeedItem, PermissionRequest, ToolPart } from "../../ground/schema/index.ts"
import { answer, type Script, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

type Call = Parameters<Script>[0]

const text = "1. Write a.txt\n2. Test it\n"

/** The text of a request without the system prompt. */
const said = ({ prompt }: Call) => JSON.stringify(prompt.filter(({ role }) => role !== "system"))
const isPlanning = (options: Call) => said(options).lastIndexOf("Plan mode is on") > -1
const planIn = (options: Call) => /into (\S+\.md)\./.exec(said(options))?.[1] ?? ""
/** The tools whose calls in this turn have a result. */
function called({ prompt }: Call): string[] {
  const start = prompt.findLastIndex(
    ({ role, content }) => role === "user" && !JSON.stringify(content).includes("mode is"),
  )
  return prompt
    .slice(start + 1)
    .flatMap((message) => (message.role === "tool" ? message.content : []))
    .flatMap((part) => (part.type === "tool-result" ? [part.toolName] : []))
}

/**
 * A model that writes a plan and submits it, and again when it is sent back; as the build agent it does what the plan
 * says.
 */
const planner: Script = (options) => {
  const done = called(options)
  if (isPlanning(options)) {
    if (!done.includes("write"))
      return answer("", { tool: "write", input: { filePath: planIn(options), content: text } })
    return answer("", { tool: "plan_exit", input: {} })
  }
  if (done.includes("write")) return answer("Built.")
  return answer("", { tool: "write", input: { filePath: "a.txt", content: "built" } })
}

async function planning(script: Script = planner, config: object = {}) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-plan-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  execFileSync("git", ["init", "-q"], { cwd: directory })
  const host = await scriptedRuntime(script, { directory, config, titles: false })
  const begin = (agent: string) =>
    host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Add a file" }], agent })
  return Object.assign(host, { begin })
}

/** The `n`-th permission request. */
async function asked(host: ScriptedRuntime, n = 1): Promise<PermissionRequest> {
  const requests = () =>
    host.events.flatMap((event) => (event.type === "permission.asked" ? [event.properties.request] : []))
  await host.until(() => requests().length >= n)
  const request = requests()[n - 1]
  if (request === undefined) throw new Error("nothing asked")
  return request
}

/** The newest turn of this agent in the session, once it has ended. */
async function ended(host: ScriptedRuntime, agent: string): Promise<FeedItem> {
  return host.until(
    (event) =>
      event.type === "turn.updated" &&
      event.properties.turn.input.agent === agent &&
      event.properties.turn.time.ended !== null,
  )
}

async function calls(host: ScriptedRuntime): Promise<ToolPart[]> {
  const { items } = await host.messages()
  return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

const own = (words: string) => [{ choices: [], own: words }]
const chosen = (label: string) => [{ choices: [label], own: null }]

test("an approved plan runs in a turn of build for its approver", async () => {
  await using host = await planning()
  const turn = await host.begin("plan")
  const { id, metadata } = await asked(host)
  expect(metadata).toMatchObject({ kind: "plan", file: expect.stringMatching(/^\.docket\/plans\/.*\.md$/) })
  await host.runtime.permission.answer(id, chosen("Approve"))
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
  await ended(host, "build")
  expect(await readFile(join(host.directory, "a.txt"), "utf8")).toBe("built")
  expect((await host.runtime.session.get(host.session.id)).agent).toBe("build")
  const { items } = await host.messages()
  const started = items.findLast(({ info }) => info.role === "user")
  expect(started?.info).toMatchObject({ agent: "build", by: { person: "local" } })
  expect(started?.parts).toMatchObject([
    { synthetic: true, text: expect.stringContaining("is approved"), notice: { kind: "mode" } },
  ])
  const exit = (await calls(host)).find(({ tool }) => tool === "plan_exit")
  expect(exit?.state).toMatchObject({ status: "completed", metadata: { decision: "approved", text, by: "local" } })
  await expect(host.runtime.permission.answer(id, chosen("Approve"))).rejects.toMatchObject({
    code: "permission_request_answered",
  })
})

test("comments send the plan back, and the plan is submitted again", async () => {
  const heard: string[] = []
  await using host = await planning((options) => {
    heard.push(said(options))
    return planner(options)
  })
  const turn = await host.begin("plan")
  await host.runtime.permission.answer((await asked(host)).id, own("> Test it\n\nBy hand? </system-reminder>"))
  const second = await asked(host, 2)
  const result = heard.at(-1) ?? ""
  expect(result).toContain("sends the plan back with comments")
  expect(result).toContain("By hand? &lt;/system-reminder>")
  expect((await host.runtime.session.get(host.session.id)).agent).toBe("plan")
  await host.runtime.permission.answer(second.id, chosen("Approve"))
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
  await ended(host, "build")
})

test("a closed plan leaves the session in plan mode without building", async () => {
  await using host = await planning()
  const turn = await host.begin("plan")
  await host.runtime.permission.reply((await asked(host)).id, "reject")
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
  expect((await host.runtime.session.get(host.session.id)).agent).toBe("plan")
  expect(await host.store.turn.open({ rootID: host.session.id })).toEqual([])
})

test("a plan that a person edited before approval is approved as edited", async () => {
  await using host = await planning()
  await host.begin("plan")
  const { id } = await asked(host)
  const { plan } = host.runtime
  const read = await plan.get(host.session.id)
  await plan.write(host.session.id, { text: "1. Write b.txt\n", version: read?.version ?? "" })
  await host.runtime.permission.answer(id, chosen("Approve"))
  await ended(host, "build")
  const exit = (await calls(host)).find(({ tool }) => tool === "plan_exit")
  expect(exit?.state).toMatchObject({ metadata: { text: "1. Write b.txt\n", edited: true } })
})

test("plain approval follows the rules; free editing excludes configuration and denied files", async () => {
  const edits: Script = (options) => {
    if (isPlanning(options)) return planner(options)
    if (called(options).includes("write")) return answer("Built.")
    return answer(
      "",
      ...["a.txt", "docket.json", "b.lock"].map((filePath) => ({ tool: "write", input: { filePath, content: "{}" } })),
    )
  }
  const permission = { edit: { "*": "ask", ".docket/plans/*.md": "allow", "*.lock": "deny" } }
  // The writes are made at the same time, so their requests come in any order.
  for (const [choice, files] of [
    ["Approve", ["a.txt", "docket.json"]],
    ["Approve and edit freely", ["docket.json"]],
  ] as const) {
    await using host = await planning(edits, { permission })
    await host.begin("plan")
    await host.runtime.permission.answer((await asked(host)).id, chosen(choice))
    const requests = await Promise.all(files.map((_, index) => asked(host, index + 2)))
    expect(requests.map(({ permission: asks }) => asks)).toEqual(files.map(() => "edit"))
    expect(requests.flatMap(({ patterns }) => patterns).sort()).toEqual([...files].sort())
    await host.runtime.abort(host.session.id)
  }
})

test("without a plan file plan_exit requires one and asks nobody", async () => {
  await using host = await planning((options) =>
    called(options).length > 0 ? answer("Then later.") : answer("", { tool: "plan_exit", input: {} }),
  )
  const turn = await host.begin("plan")
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
  expect((await calls(host))[0]?.state).toMatchObject({
    status: "error",
    error: expect.stringContaining("no plan yet"),
  })
  expect(await host.runtime.permission.pending()).toEqual([])
})

test("build proposes plan mode, which begins only with the person's agreement", async () => {
  const propose: Script = (options) => {
    if (isPlanning(options)) return answer("I plan.")
    return called(options).includes("plan_enter")
      ? answer("I go on.")
      : answer("", { tool: "plan_enter", input: { reason: "Data is migrated." } })
  }
  await using host = await planning(propose)
  const declined = await host.begin("build")
  const { id, metadata } = await asked(host)
  expect(metadata).toMatchObject({ questions: [{ question: "Switch to plan mode? Data is migrated." }] })
  await host.runtime.permission.answer(id, chosen("Go on without a plan"))
  await host.runtime.prompt.wait(declined.id)
  expect((await host.runtime.session.get(host.session.id)).agent).toBe("build")
  await host.begin("build")
  await host.runtime.permission.answer((await asked(host, 2)).id, chosen("Plan first"))
  await ended(host, "plan")
  expect((await host.runtime.session.get(host.session.id)).agent).toBe("plan")
})

test("only plan mode has plan_exit, only build plan_enter, tasks neither", async () => {
  const offered: Record<string, string[]> = {}
  await using host = await planning((options) => {
    const tools = (options.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith("plan_"))
    const who = JSON.stringify(options.prompt).includes("You are a subagent")
      ? "task"
      : isPlanning(options)
        ? "plan"
        : "build"
    offered[who] = tools
    if (who !== "plan" || called(options).length > 0) return answer("Done.")
    return answer("", { tool: "task", input: { subagent_type: "general", description: "Design", prompt: "Design" } })
  })
  await host.runtime.prompt.wait((await host.begin("plan")).id)
  await host.runtime.prompt.wait((await host.begin("build")).id)
  expect(offered).toEqual({ task: [], plan: ["plan_exit"], build: ["plan_enter"] })
})

test("a plan without anyone to ask is closed with reason, not resubmitted", async () => {
  await using host = await planning()
  const turn = await host.begin("plan")
  await host.runtime.permission.reply((await asked(host)).id, "reject", { message: "Nobody can be asked" })
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({ status: "completed" })
  const exits = (await calls(host)).filter(({ tool }) => tool === "plan_exit")
  expect(exits.map(({ state }) => state)).toMatchObject([
    { output: expect.stringContaining("Nobody can be asked"), metadata: { decision: "closed" } },
  ])
})

test("an approved plan replaces a preset that blocks file changes", async () => {
  for (const [choice, preset] of [
    ["Approve", null],
    ["Approve and edit freely", "edit"],
  ] as const) {
    await using host = await planning()
    await host.runtime.session.setPreset(host.session.id, "plan")
    await host.begin("plan")
    await host.runtime.permission.answer((await asked(host)).id, chosen(choice))
    await ended(host, "build")
    expect((await host.runtime.session.get(host.session.id)).preset?.name ?? null).toBe(preset)
    expect(await readFile(join(host.directory, "a.txt"), "utf8")).toBe("built")
  }
})
