import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

test("a prompt's subtask runs first, with its own agent and model", async () => {
  const seen: string[] = []
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    seen.push(text.includes("look around") && !text.includes("subagent") ? "child" : "parent")
    return answer("Fine.")
  })
  const model = { providerID: "scripted", modelID: "two" }
  const turn = await host.runtime.prompt.submit(host.session.id, {
    parts: [{ type: "subtask", agent: "explore", description: "Look", prompt: "look around", model }],
  })
  expect((await host.runtime.prompt.wait(turn.id)).status).toBe("completed")
  const { tasks } = await host.runtime.session.tree(host.session.id)
  expect(tasks).toMatchObject([{ agent: "explore", state: "completed", model }])
  expect(seen).toEqual(["child", "parent"])
})

test.each([
  ["the task itself", { task: "ask" }],
  ["a call in it", { bash: "ask" }],
])("rejecting %s in a prompt's subtask ends the turn without model calls", async (_, rules) => {
  const asked: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      const text = lastUserText(options)
      asked.push(text)
      if (text !== "dig") return answer("Fine.")
      const [result] = toolResults(options)
      return result === undefined ? answer("", { tool: "bash", input: { command: "rm -r a" } }) : answer(result)
    },
    { config: { permission: { "*": "allow", ...rules }, delegation: { envelope: false } } },
  )
  const parts = [{ type: "subtask" as const, agent: "general", description: "Dig", prompt: "dig" }]
  const turn = await host.runtime.prompt.submit(host.session.id, { parts })
  const request = await host.until(({ type }) => type === "permission.asked")
  if (request.type !== "permission.asked") throw new Error("nothing was asked")
  await host.runtime.permission.reply(request.properties.request.id, "reject")
  expect(await host.runtime.prompt.wait(turn.id)).toMatchObject({
    status: "aborted",
    error: { name: "RejectedError" },
  })
  expect(asked.filter((text) => text !== "dig")).toEqual([])
  expect((await host.runtime.session.get(host.session.id)).ended?.how).toBe("stopped")
  expect((await host.prompt("And now?")).status).toBe("completed")
})

test("rejecting a subtask's call with a message lets the turn continue", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      const [result] = toolResults(options)
      if (lastUserText(options) !== "dig") return answer("Fine.")
      return result === undefined ? answer("", { tool: "bash", input: { command: "rm -r a" } }) : answer(result)
    },
    { config: { permission: { "*": "allow", bash: "ask" }, delegation: { envelope: false } } },
  )
  const parts = [{ type: "subtask" as const, agent: "general", description: "Dig", prompt: "dig" }]
  const turn = await host.runtime.prompt.submit(host.session.id, { parts })
  const request = await host.until(({ type }) => type === "permission.asked")
  if (request.type !== "permission.asked") throw new Error("nothing was asked")
  await host.runtime.permission.reply(request.properties.request.id, "reject", { message: "keep a" })
  expect((await host.runtime.prompt.wait(turn.id)).status).toBe("completed")
  expect((await host.runtime.session.tree(host.session.id)).tasks).toMatchObject([{ state: "completed" }])
})
