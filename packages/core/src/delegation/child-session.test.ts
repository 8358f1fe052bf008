import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

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
