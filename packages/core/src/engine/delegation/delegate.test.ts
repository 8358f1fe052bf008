import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import type { Task, ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

test("a call id used again in a later answer makes another child", async () => {
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    if (text.startsWith("part")) return answer(`${text} done`)
    const results = toolResults(options)
    if (results.length === 2) return answer("End.")
    const input = { description: "work", prompt: `part ${results.length}`, subagent_type: "explore" }
    return answer("", { tool: "task", input, id: "call_0" })
  })
  expect((await host.prompt("Start")).status).toBe("completed")
  expect(await host.runtime.session.children(host.session.id)).toHaveLength(2)
})

/** Delegates once with an explicit model, then once more with `secondInput`; returns the tasks' models in order. */
async function modelsOf(secondInput: object) {
  const models: Task["model"][] = []
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options).startsWith("part")) return answer("done")
      const results = toolResults(options)
      const input = { description: "work", prompt: `part ${results.length}`, subagent_type: "explore" }
      if (results.length === 0) return answer("", { tool: "task", input: { ...input, model: "scripted/small" } })
      return results.length === 1 ? answer("", { tool: "task", input: { ...input, ...secondInput } }) : answer("End.")
    },
    { config: { agent: { general: { model: "scripted/general" } } } },
  )
  expect((await host.prompt("Start")).status).toBe("completed")
  for (const { id } of await host.runtime.task.list(host.session.id)) {
    models.push((await host.runtime.task.get(id)).model)
  }
  return models.map(({ modelID }) => modelID)
}

test("a resumed child keeps its last model unless another is named", async () => {
  expect(await modelsOf({ task_id: "1" })).toEqual(["small", "small"])
  expect(await modelsOf({ task_id: "1", model: "scripted/large" })).toEqual(["small", "large"])
  // A new child has the caller's model.
  expect(await modelsOf({})).toEqual(["small", "one"])
})

test("a child resumed as another agent uses that agent's model", async () => {
  expect(await modelsOf({ task_id: "1", subagent_type: "general" })).toEqual(["small", "general"])
})

test("a person resumes an ended task, and its parent reads the result", async () => {
  const asked: string[] = []
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    asked.push(text)
    if (text === "dig") return answer("dug")
    if (text === "Look deeper") return answer("found it")
    if (text !== "Start" || toolResults(options).length > 0) return answer("heard")
    const input = { description: "work", prompt: "dig", subagent_type: "explore", model: "scripted/small" }
    return answer("", { tool: "task", input })
  })
  await host.prompt("Start")
  const [first] = await host.runtime.task.list(host.session.id)
  const next = await host.runtime.task.resume(first?.id ?? "", "Look deeper")
  expect(next).toMatchObject({
    number: 2,
    sessionID: first?.sessionID,
    mode: "background",
    model: { modelID: "small" },
  })
  expect(next.by).toBeDefined()
  await expect.poll(() => asked.filter((text) => text.includes("found it"))).toHaveLength(1)
  const { items } = await host.messages(first?.sessionID)
  expect(items.filter(({ info }) => info.role === "user")).toHaveLength(2)
})

test("a working child cannot be resumed", async () => {
  const gate = Promise.withResolvers<void>()
  await using host = await scriptedRuntime(async (options) => {
    if (lastUserText(options) === "dig") {
      await gate.promise
      return answer("dug")
    }
    if (toolResults(options).length > 0) return answer("heard")
    return answer("", { tool: "task", input: { description: "work", prompt: "dig", subagent_type: "explore" } })
  })
  const turn = host.prompt("Start")
  const event = await host.until(({ type }) => type === "task.updated")
  const id = event.type === "task.updated" ? event.properties.task.id : ""
  await expect(host.runtime.task.resume(id, "more")).rejects.toMatchObject({ code: "invalid_input" })
  gate.resolve()
  await turn
})

interface Offer {
  described: string[]
  named: unknown
}

/** The agents that the delegation tools offer to a model, in the description and in the schema. */
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

test("task and async_task offer only the subagents that the rules allow", async () => {
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

test("an agent without allowed subagents has no tool to start one", async () => {
  expect(await offeredTo("lonely")).toEqual({})
  const picky = await offeredTo("picky")
  expect(Object.values(picky).map(({ named }) => named)).toEqual([["lead"], ["lead"]])
})

test("a child is offered no subagent denied to a session above", async () => {
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

test("a denied subagent is refused everywhere, with the allowed ones named", async () => {
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

const delegate = (subagent_type: string, prompt: string, more: object = {}) => ({
  tool: "task",
  input: { subagent_type, prompt, description: prompt, ...more },
})

async function outputs(host: ScriptedRuntime, sessionID?: string): Promise<string[]> {
  const { items } = await host.messages(sessionID)
  return items
    .flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    .map(({ state }) => (state.status === "error" ? state.error : state.status === "completed" ? state.output : ""))
}

test("a child resumed as another agent has that agent's rights", async () => {
  const offered: string[][] = []
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (text.startsWith("dig")) {
        offered.push((options.tools ?? []).map((tool) => tool.name))
        return answer("dug")
      }
      if (toolResults(options).length > 0) return answer("end")
      const task_id = /session_id: (ses_\w+)/.exec(JSON.stringify(options.prompt))?.[1]
      return text === "Start"
        ? answer("", delegate("lead", "dig"))
        : answer("", delegate("explore", "dig on", { task_id }))
    },
    {
      config: {
        delegation: { envelope: false },
        agent: { lead: { mode: "subagent", description: "Leads.", permission: { "*": "allow", task: "allow" } } },
      },
    },
  )
  await host.prompt("Start")
  await host.prompt("Again")
  expect(offered[0]).toContain("task")
  expect(offered[1]).not.toContain("task")
  expect(offered[1]).toContain("read")
  expect(await host.runtime.session.children(host.session.id)).toHaveLength(1)
})

test("a task with a used up limit starts no further task", async () => {
  const inner: Script = (options) =>
    toolResults(options).length === 0
      ? answer("I ask.", { tool: "glob", input: { pattern: "*" } }, delegate("explore", "below"))
      : answer("never")
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      if (text === "outer") return inner(options)
      if (text === "below") return answer("below was asked")
      return toolResults(options).length > 0 ? answer("end") : answer("", delegate("general", "outer"))
    },
    {
      config: {
        delegation: { envelope: false },
        agent: { general: { permission: { "*": "allow", task: "allow" }, limits: { tool_calls: 2 } } },
      },
    },
  )
  await host.prompt("Start")
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map((task) => [task.description, task.error?.type, task.result])).toEqual([
    ["outer", "limit_reached", "I ask."],
  ])
  expect((await outputs(host, tasks[0]?.sessionID))[1]).toContain("Task #1 has used up a limit")
})

test("a cost limit ends the task after the answer's calls", async () => {
  let asked = 0
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) !== "dig")
        return toolResults(options).length > 0 ? answer("end") : answer("", delegate("explore", "dig"))
      asked += 1
      return answer(`step ${asked}`, { tool: "glob", input: { pattern: `${asked}` } })
    },
    // A step of the scripted model costs 20 millionths of a dollar.
    { config: { delegation: { envelope: false, cost: 0.00003 } } },
  )
  await host.prompt("Start")
  const [task] = await host.runtime.task.list(host.session.id)
  expect(asked).toBe(2)
  expect(task).toMatchObject({
    state: "failed",
    error: { type: "limit_reached" },
    result: "step 2",
    usage: { toolCalls: 2 },
  })
  expect(task?.error?.message).toContain("limit of 0.00003 USD")
  expect(await outputs(host, task?.sessionID)).toHaveLength(2)
})

test("a used up tree limit ends later tasks, also after a restart", async () => {
  const script: Script = (options) => {
    const text = lastUserText(options)
    if (text.startsWith("dig"))
      return answer("dug", ...(toolResults(options).length === 0 ? [{ tool: "glob", input: { pattern: "*" } }] : []))
    return toolResults(options).length > 0 ? answer("end") : answer("", delegate("explore", `dig ${text}`))
  }
  const config = { delegation: { envelope: false, tree: { tool_calls: 1 } } }
  const first = await scriptedRuntime(script, { config })
  await first.prompt("one")
  await first.runtime.close()
  await using second = await scriptedRuntime(script, { store: first.store, directory: first.directory })
  const turn = await second.runtime.prompt.submit(first.session.id, { parts: [{ type: "text", text: "two" }] })
  await second.runtime.prompt.wait(turn.id)
  const tasks = await second.runtime.task.list(first.session.id)
  expect(tasks.map((task) => [task.state, task.error?.message.slice(0, 50)])).toEqual([
    ["failed", "The tree's tasks together reached their limit of 1"],
    ["failed", "The tree's tasks together reached their limit of 1"],
  ])
  expect(tasks[1]?.usage.toolCalls).toBe(0)
  await first[Symbol.asyncDispose]()
})

const taskCall = (prompt: string) => ({
  tool: "task",
  input: { description: prompt, prompt, subagent_type: "general" },
})

/** Allows children to delegate. */
const nestedTasks = { agent: { general: { permission: { task: "allow" } } } }

/** The original request that a child's prompt contains. */
function originalRequest(options: LanguageModelV4CallOptions): string | undefined {
  const said = options.prompt.flatMap((message) => (message.role === "user" ? message.content : []))
  const texts = said.flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.map((text) => /^Original request: (.*)$/m.exec(text)?.[1]).find((request) => request !== undefined)
}

test("children at every depth get the current prompt, not the first", async () => {
  const told: Record<string, string | undefined> = {}
  const script: Script = (options) => {
    const text = lastUserText(options)
    if (text === "First matter") return answer("Done with that.")
    if (toolResults(options).length > 0) return answer("end")
    if (text !== "Second matter") told[text] = originalRequest(options)
    if (text === "grandchild") return answer("found")
    return answer("", taskCall(text === "Second matter" ? "child" : "grandchild"))
  }
  await using host = await scriptedRuntime(script, { config: nestedTasks })
  await host.prompt("First matter")
  await host.prompt("Second matter")
  expect(told).toEqual({ child: "Second matter", grandchild: "Second matter" })
})

test("a background task's original request is the prompt that started it", async () => {
  const told: Record<string, string | undefined> = {}
  const next = Promise.withResolvers<void>()
  const script: Script = async (options) => {
    const text = lastUserText(options)
    if (text === "Next matter") {
      next.resolve()
      return answer("Done with that.")
    }
    if (text === "child" || text === "grandchild") told[text] = originalRequest(options)
    if (text === "grandchild") return answer("found")
    if (toolResults(options).length > 0) return answer("end")
    if (text === "Long matter") {
      return answer("", { tool: "async_task", input: { agent: "general", prompt: "child", description: "child" } })
    }
    if (text !== "child") return answer("Thanks.")
    await next.promise
    return answer("", taskCall("grandchild"))
  }
  await using host = await scriptedRuntime(script, { config: nestedTasks })
  await host.prompt("Long matter")
  await host.prompt("Next matter")
  await host.until(
    (event) =>
      event.type === "task.updated" &&
      event.properties.task.description === "grandchild" &&
      event.properties.task.state === "completed",
  )
  expect(told).toEqual({ child: "Long matter", grandchild: "Long matter" })
})

test("the original request is a person's words, never Docket's", async () => {
  const told: (string | undefined)[] = []
  await using host = await scriptedRuntime((options) => {
    if (lastUserText(options) === "look into the queue") told.push(originalRequest(options))
    return answer("ok")
  })
  await host.prompt("First matter")
  await host.prompt("@general look into the queue")
  expect(told).toEqual(["look into the queue"])
})

test("a primary tool is not offered to a child", async () => {
  const offered: Record<string, string[]> = {}
  const config = { primary_tools: ["bash", "write"], agent: { general: { permission: { bash: "allow" } } } }
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      offered[text] ??= (options.tools ?? []).map(({ name }) => name)
      if (toolResults(options).length > 0) return answer("Done.")
      if (text !== "Start") return answer("Nothing to do.")
      return answer("", { tool: "task", input: { description: "Work", prompt: "Work", subagent_type: "general" } })
    },
    { config },
  )
  await host.prompt("Start")
  expect(offered.Start).toEqual(expect.arrayContaining(["bash", "edit", "write"]))
  expect(offered.Work).toContain("read")
  for (const name of ["bash", "edit", "write"]) expect(offered.Work).not.toContain(name)
})
