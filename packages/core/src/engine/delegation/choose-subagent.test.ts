import { expect, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

interface Offer {
  described: string[]
  named: unknown
}

/** The agents that a model is offered by its tools, in words and in the schema. */
function offersOf({ tools = [] }: Parameters<Script>[0]): Record<string, Offer> {
  const offers = tools.flatMap((tool): [string, Offer][] => {
    if (tool.type !== "function" || (tool.name !== "task" && tool.name !== "async_task")) return []
    const described = [...(tool.description ?? "").matchAll(/^- ([\w-]+): /gm)].map((match) => match[1] ?? "")
    const field = tool.inputSchema.properties?.[tool.name === "task" ? "subagent_type" : "agent"]
    return [[tool.name, { described, named: typeof field === "object" ? field.enum : undefined }]]
  })
  return Object.fromEntries(offers)
}

const config = {
  delegation: { envelope: false },
  agent: {
    reviewer: { mode: "all", description: "Reviews." },
    secret: { mode: "subagent", description: "Hidden.", hidden: true },
    planner: { mode: "primary", description: "Plans.", permission: { task: { general: "deny" } } },
    lonely: { mode: "primary", description: "Works alone.", permission: { task: { "*": "deny" } } },
    picky: {
      mode: "primary",
      permission: { task: { "*": "allow", explore: "deny", general: "deny", reviewer: "deny" } },
    },
    lead: {
      mode: "subagent",
      description: "Leads.",
      permission: { "*": "allow", task: { "*": "allow", reviewer: "deny" } },
    },
  },
}

async function offeredTo(agent: string) {
  let offered: Record<string, Offer> = {}
  await using host = await scriptedRuntime(
    (options) => {
      offered = offersOf(options)
      return answer("Fine.")
    },
    { config },
  )
  const turn = await host.runtime.prompt.submit(host.session.id, { agent, parts: [{ type: "text", text: "Hello" }] })
  await host.runtime.prompt.wait(turn.id)
  return offered
}

test("an agent is offered the subagents that its rules let it start, by both tools, in words and in the schema", async () => {
  const all = ["general", "explore", "lead", "reviewer"]
  expect(await offeredTo("build")).toEqual({
    task: { described: all, named: all },
    async_task: { described: all, named: all },
  })
  const some = ["explore", "lead", "reviewer"]
  expect(await offeredTo("planner")).toEqual({
    task: { described: some, named: some },
    async_task: { described: some, named: some },
  })
})

test("an agent that may start none is offered no tool to start one with", async () => {
  expect(await offeredTo("lonely")).toEqual({})
  const picky = await offeredTo("picky")
  expect(Object.values(picky).map(({ named }) => named)).toEqual([["lead"], ["lead"]])
})

test("a child is offered none that a session above it may not start", async () => {
  let offered: unknown
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) === "child") {
        offered = offersOf(options).task?.named
        return answer("Fine.")
      }
      const input = { subagent_type: "lead", prompt: "child", description: "child" }
      return toolResults(options).length > 0 ? answer("end") : answer("", { tool: "task", input })
    },
    { config },
  )
  const turn = await host.runtime.prompt.submit(host.session.id, {
    agent: "planner",
    parts: [{ type: "text", text: "Start" }],
  })
  await host.runtime.prompt.wait(turn.id)
  // The planner may not start general, lead may not start reviewer.
  expect(offered).toEqual(["explore", "lead"])
})

test("one that an agent may not start is refused with those that it may: as a call, a line in its text and a prompt", async () => {
  const refused =
    /The rules do not let planner start "general"\. (Switch to another agent for this prompt\. )?Use one of: explore, lead, reviewer\./
  let told = ""
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) !== "Start") {
        told = lastUserText(options)
        return answer("end")
      }
      if (toolResults(options).length > 0) return answer("/agent general edit it")
      const rest = { prompt: "edit it", description: "edit" }
      return answer(
        "",
        { tool: "task", input: { ...rest, subagent_type: "general" } },
        { tool: "async_task", input: { ...rest, agent: "general" } },
      )
    },
    { config },
  )
  const submit = (text: string) =>
    host.runtime.prompt.submit(host.session.id, { agent: "planner", parts: [{ type: "text", text }] })
  await host.runtime.prompt.wait((await submit("Start")).id)
  const { items } = await host.messages()
  const parts = items.flatMap((item) => item.parts.filter((part): part is ToolPart => part.type === "tool"))
  expect(parts.map(({ state }) => state.status === "error" && refused.test(state.error))).toEqual([true, true])
  expect(told).toMatch(refused)
  for (const text of ["@general edit it", "/agent general edit it", "/parallel\n/agent general edit it\n/endparallel"])
    await expect(submit(text)).rejects.toMatchObject({ code: "invalid_input", message: expect.stringMatching(refused) })
  await expect(submit("/agent secret do it")).rejects.toMatchObject({ code: "agent_not_found" })
  await expect(submit("/agent build do it")).rejects.toMatchObject({ code: "agent_not_found" })
  expect(await host.runtime.task.list(host.session.id)).toEqual([])
})
