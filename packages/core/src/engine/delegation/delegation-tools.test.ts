import { expect, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

const config = { delegation: { envelope: false }, permission: "allow" }
type Call = Parameters<typeof answer>[1]
const task = (prompt: string, more: object = {}): Call => ({
  tool: "task",
  input: { subagent_type: "explore", prompt, description: prompt, ...more },
})

async function outputs(host: ScriptedRuntime): Promise<string[]> {
  const { items } = await host.messages()
  return items
    .flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    .map(({ state }) => (state.status === "error" ? state.error : state.status === "completed" ? state.output : ""))
}

/**
 * A host whose root makes these calls, one list per prompt. Children answer with all prompts that they have received.
 */
function hostOf(calls: Record<string, (told: string) => Call[]>) {
  return scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      const next = calls[text]
      if (next === undefined)
        return answer(`asked ${options.prompt.filter(({ role }) => role === "user").length} times`)
      return toolResults(options).length > 0 ? answer("end") : answer("", ...next(JSON.stringify(options.prompt)))
    },
    { config },
  )
}

const childIn = (told: string) => /session_id: (ses_\w+)/.exec(told)?.[1] ?? ""

test("a child is resumed by task_id or session_id, by id or number", async () => {
  await using host = await hostOf({
    One: () => [task("dig")],
    Two: (told) => [task("dig on", { session_id: childIn(told) })],
    Three: (told) => [task("dig on", { task_id: childIn(told) })],
    Four: () => [task("dig on", { task_id: "#1", session_id: "#1" })],
    Five: () => [task("dig on", { task_id: 2 })],
  })
  for (const prompt of ["One", "Two", "Three", "Four", "Five"]) await host.prompt(prompt)
  expect((await outputs(host)).map((output) => /asked \d times/.exec(output)?.[0])).toEqual(
    [1, 2, 3, 4, 5].map((times) => `asked ${times} times`),
  )
  expect(await host.runtime.session.children(host.session.id)).toHaveLength(1)
})

test("an unknown task is refused with the caller's tasks named", async () => {
  await using host = await hostOf({
    One: () => [task("dig")],
    Two: (told) => [
      task("a", { task_id: "ses_nowhere" }),
      task("b", { task_id: "7" }),
      task("c", { task_id: childIn(told), session_id: "ses_nowhere" }),
    ],
  })
  await host.prompt("One")
  await host.prompt("Two")
  const [first, ...refused] = await outputs(host)
  expect(refused).toEqual([
    expect.stringContaining(`There is no task ses_nowhere of this session. Its tasks: ${childIn(first ?? "")}`),
    expect.stringContaining("There is no task 7 of this session."),
    expect.stringContaining("both name the task to go on with. Send one."),
  ])
  expect(await host.runtime.task.list(host.session.id)).toHaveLength(1)
})

test("another session's child cannot be resumed by id or number", async () => {
  let foreign = ""
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      const results = toolResults(options)
      if (text === "Start") {
        if (results.length === 0) return answer("", task("dig"))
        foreign = childIn(results[0] ?? "")
        return results.length === 1 ? answer("", task("lead", { subagent_type: "lead" })) : answer("end")
      }
      if (text !== "lead") return answer("dug")
      return results.length > 0
        ? answer(results.join("\n"))
        : answer("", task("x", { task_id: foreign }), task("y", { task_id: "1" }))
    },
    { config: { ...config, agent: { lead: { mode: "subagent", permission: { "*": "allow", task: "allow" } } } } },
  )
  await host.prompt("Start")
  const [, told = ""] = await outputs(host)
  expect(told).toContain(`There is no task ${foreign} of this session. It has no tasks yet`)
  expect(told).toContain("There is no task 1 of this session.")
  expect(await host.runtime.task.list(host.session.id)).toHaveLength(2)
})

test("empty arguments count as left out; an empty prompt is refused", async () => {
  await using host = await hostOf({
    Start: () => [
      task("dig", { task_id: "", session_id: null, model: " ", todo: "" }),
      task("dig", { prompt: "  \n" }),
      task("dig", { description: undefined }),
      task("dig", { agent: "explore" }),
    ],
  })
  await host.prompt("Start")
  const [done, ...refused] = await outputs(host)
  expect(done).toContain("asked 1 times")
  expect(refused).toEqual([
    expect.stringContaining("- prompt: must not be empty"),
    expect.stringContaining("- description: is missing"),
    expect.stringContaining('- agent: there is no such argument. Did you mean "subagent_type"?'),
  ])
})

test("failed calls take no number; tasks are numbered in call order", async () => {
  await using host = await hostOf({
    Start: () => [
      task("a", { model: "nonsense" }),
      task("b"),
      task("c", { task_id: "ses_nowhere" }),
      task("d", { output_schema: { type: "nonsense" } }),
      task("e"),
      task("f", { todo: "99" }),
    ],
    Again: () => [task("g")],
  })
  await host.prompt("Start")
  await host.prompt("Again")
  const tasks = await host.runtime.task.list(host.session.id)
  expect(tasks.map(({ number, description }) => [number, description])).toEqual([
    [1, "b"],
    [2, "e"],
    [3, "g"],
  ])
  expect(host.errors).toEqual([])
})
