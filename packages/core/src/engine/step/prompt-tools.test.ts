import { expect, test } from "vitest"
import type { ToolSwitches } from "../../ground/schema/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

type Offered = Record<string, string[]>

/** Delegates once, to a child that is told "Work"; keeps what each prompt was offered. */
function recording(offered: Offered, call: { tool: string; input: unknown } | null): Script {
  return (options) => {
    const text = lastUserText(options)
    offered[text] ??= (options.tools ?? []).map(({ name }) => name)
    return text === "Start" && call !== null && toolResults(options).length === 0 ? answer("", call) : answer("Done.")
  }
}

async function prompt(host: Awaited<ReturnType<typeof scriptedRuntime>>, text: string, tools?: ToolSwitches) {
  const parts = [{ type: "text" as const, text }]
  const { id } = await host.runtime.prompt.submit(host.session.id, { parts, ...(tools && { tools }) })
  return host.runtime.prompt.wait(id)
}

test("a prompt's switched off tools are missing, the next has them", async () => {
  const offered: Offered = {}
  await using host = await scriptedRuntime(recording(offered, null))
  await prompt(host, "Look", { "*": false, read: true, "gr?p": true })
  await prompt(host, "Work")
  expect(offered.Look?.sort()).toEqual(["grep", "read"])
  expect(offered.Work).toEqual(expect.arrayContaining(["bash", "edit", "read"]))
})

test("a prompt switches nothing on that the rules deny", async () => {
  const offered: Offered = {}
  await using host = await scriptedRuntime(recording(offered, null), { config: { permission: { bash: "deny" } } })
  await prompt(host, "Look", { bash: true })
  expect(offered.Look).toContain("read")
  expect(offered.Look).not.toContain("bash")
})

test("the first prompt of a new session may do without tools", async () => {
  const offered: Offered = {}
  await using host = await scriptedRuntime(recording(offered, null))
  const { projectID } = host.session
  const parts = [{ type: "text" as const, text: "Look" }]
  const { turn } = await host.runtime.session.start({ projectID, parts, tools: { "*": false, read: true } })
  await host.runtime.prompt.wait(turn.id)
  expect(offered.Look).toEqual(["read"])
})

test("a call of a switched off tool fails without running", async () => {
  const offered: Offered = {}
  const call = { tool: "bash", input: { command: "echo ran", description: "Try it" } }
  await using host = await scriptedRuntime(recording(offered, call))
  await prompt(host, "Start", { bash: false })
  const { items } = await host.messages()
  const states = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool" ? [part.state] : [])))
  expect(states).toMatchObject([{ status: "error", error: expect.stringContaining("bash") }])
})

test("what a prompt delegates does without the same tools", async () => {
  const offered: Offered = {}
  const call = { tool: "task", input: { description: "Work", prompt: "Work", subagent_type: "general" } }
  await using host = await scriptedRuntime(recording(offered, call))
  await prompt(host, "Start", { bash: false, edit: false })
  expect(offered.Work).toContain("read")
  for (const name of ["bash", "edit", "write"]) expect(offered.Work).not.toContain(name)
})

test("an agent's tools are switched off by name and by pattern", async () => {
  const offered: Offered = {}
  const config = { agent: { build: { tools: { bash: false, "todo*": false } } } }
  await using host = await scriptedRuntime(recording(offered, null), { config })
  await prompt(host, "Look")
  expect(offered.Look).toContain("read")
  for (const name of ["bash", "todowrite", "todoread"]) expect(offered.Look).not.toContain(name)
})
