import { expect, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type Script,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

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

test("a child that another agent goes on with has that agent's rights, not those of the first", async () => {
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

test("a task that has used up a limit can start none below it", async () => {
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

test("a limit of cost that an answer reaches ends the task after that answer's calls", async () => {
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

test("a limit of the tree that is used up ends later tasks at once, also after a restart", async () => {
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
