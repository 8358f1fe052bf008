import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

test("a task keeps when a call or command of its child failed, and when it waited for a person", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      if (lastUserText(options) !== "dig") {
        const input = { description: "work", prompt: "dig", subagent_type: "general" }
        return results.length > 0 ? answer("end") : answer("", { tool: "task", input })
      }
      if (results.length === 0) return answer("", { tool: "read", input: { filePath: "gone.txt" } })
      if (results.length === 1) return answer("", { tool: "bash", input: { command: "false", description: "Nothing" } })
      return answer("dug")
    },
    { config: { permission: { bash: "ask" } } },
  )
  const turn = host.prompt("Start")
  const asked = await host.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nothing was asked")
  await host.runtime.permission.reply(asked.properties.request.id, "once")
  await turn
  const [task] = await host.runtime.task.list(host.session.id)
  expect(task?.state).toBe("completed")
  expect(task?.moments?.map(({ kind }) => kind)).toEqual(["error", "wait", "error"])
  const wait = task?.moments?.[1]
  expect(wait?.from).toBe(asked.properties.request.time.created)
  expect(wait?.until).toBeGreaterThanOrEqual(wait?.from ?? Number.NaN)
})
