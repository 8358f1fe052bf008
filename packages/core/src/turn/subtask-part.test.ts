import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime } from "../test/scripted-runtime.ts"

test("a subtask of a prompt runs before the model is asked, with the agent and the model that it names", async () => {
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
