import { expect, test } from "vitest"
import type { Task } from "../../ground/schema/index.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

test("a provider that uses a call id again in a later answer gets a new child, not the first one", async () => {
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

/** Delegates once with a model of its own, then as `again` says; answers with the tasks' models in order. */
async function modelsOf(again: object) {
  const models: Task["model"][] = []
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options).startsWith("part")) return answer("done")
      const results = toolResults(options)
      const input = { description: "work", prompt: `part ${results.length}`, subagent_type: "explore" }
      if (results.length === 0) return answer("", { tool: "task", input: { ...input, model: "scripted/small" } })
      return results.length === 1 ? answer("", { tool: "task", input: { ...input, ...again } }) : answer("End.")
    },
    { config: { agent: { general: { model: "scripted/general" } } } },
  )
  expect((await host.prompt("Start")).status).toBe("completed")
  for (const { id } of await host.runtime.task.list(host.session.id)) {
    models.push((await host.runtime.task.get(id)).model)
  }
  return models.map(({ modelID }) => modelID)
}

test("a resumed child goes on with the model it worked with last, unless another is named", async () => {
  expect(await modelsOf({ task_id: "1" })).toEqual(["small", "small"])
  expect(await modelsOf({ task_id: "1", model: "scripted/large" })).toEqual(["small", "large"])
  // A new child has the caller's.
  expect(await modelsOf({})).toEqual(["small", "one"])
})

test("another agent that goes on with a child works with its own model", async () => {
  expect(await modelsOf({ task_id: "1", subagent_type: "general" })).toEqual(["small", "general"])
})

test("a person goes on in the child of an ended task, and the parent is told of its end", async () => {
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

test("a child that still works takes messages and is not gone on with", async () => {
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
