import { expect, test } from "vitest"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

test("a task keeps when its child failed at something and when it waited for a person, without a commit of its own", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      if (lastUserText(options) !== "dig") {
        const input = { description: "work", prompt: "dig", subagent_type: "general" }
        return results.length > 0 ? answer("end") : answer("", { tool: "task", input })
      }
      if (results.length === 0) return answer("", { tool: "read", input: { filePath: "gone.txt" } })
      if (results.length === 1) return answer("", { tool: "bash", input: { command: "true", description: "Nothing" } })
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
  expect(task?.moments?.map(({ kind }) => kind)).toEqual(["error", "wait"])
  const wait = task?.moments?.[1]
  expect(wait?.from).toBe(asked.properties.request.time.created)
  expect(wait?.until).toBeGreaterThanOrEqual(wait?.from ?? Number.NaN)
  // Queued, running, its prompt's turn, one a step, the end.
  const rows = host.events.filter(({ type }) => type === "task.updated")
  expect(rows.length).toBeLessThanOrEqual(7)
})
