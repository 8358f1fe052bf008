import { expect, test } from "vitest"
import { callMark } from "../../ground/message/call-mark.ts"
import { sessionMark, treeMarks } from "../../ground/message/marks.ts"
import { answer, lastUserText, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

test("a task that ended because a call of it was rejected was stopped, and neither done nor failed anywhere", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      if (lastUserText(options) === "dig") return answer("", { tool: "bash", input: { command: "rm -r a" } })
      const [result] = toolResults(options)
      const input = { description: "work", prompt: "dig", subagent_type: "general" }
      return result === undefined ? answer("", { tool: "task", input }) : answer(result)
    },
    { config: { permission: { "*": "allow", bash: "ask" }, delegation: { envelope: false } } },
  )
  const turn = host.prompt("Start")
  const asked = await host.until(({ type }) => type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("nothing was asked")
  await host.runtime.permission.reply(asked.properties.request.id, "reject")
  expect((await turn).status).toBe("completed")
  const { sessions, tasks } = await host.runtime.session.tree(host.session.id)
  expect(tasks[0]).toMatchObject({ state: "cancelled", error: { type: "rejected" } })
  expect(tasks[0]?.moments?.map(({ kind }) => kind)).toEqual(["wait"])
  const child = tasks[0]?.sessionID ?? ""
  expect(treeMarks({ sessions, tasks, permissions: [] }).get(child)).toBe("stopped")
  expect(sessionMark(sessions.find(({ id }) => id === child) ?? host.session, null)).toBe("stopped")
  const { items } = await host.messages()
  const call = items.flatMap(({ parts }) => parts).find((part) => part.type === "tool")
  expect(call?.type === "tool" && callMark(call)).toBe("stopped")
  expect(items.at(-1)?.parts.find((part) => part.type === "text")).toMatchObject({
    text: expect.stringContaining("the user rejected a call"),
  })
})

test("a task keeps when a call or command of its child failed, and when it waited for a person", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      if (lastUserText(options) !== "dig") {
        const input = { description: "work", prompt: "dig", subagent_type: "general" }
        return results.length > 0 ? answer("end") : answer("", { tool: "task", input })
      }
      if (results.length === 0) return answer("", { tool: "read", input: { filePath: "gone.txt" } })
      if (results.length === 1) return answer("", { tool: "list", input: {} })
      if (results.length === 2) return answer("", { tool: "bash", input: { command: "false", description: "Nothing" } })
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
  expect(task?.calls).toEqual(["error", "completed", "error"])
  expect(task?.moments?.map(({ kind }) => kind)).toEqual(["error", "wait", "error"])
  const wait = task?.moments?.[1]
  expect(wait?.from).toBe(asked.properties.request.time.created)
  expect(wait?.until).toBeGreaterThanOrEqual(wait?.from ?? Number.NaN)
  const by = expect.objectContaining({ person: expect.any(String) })
  expect(wait?.answer).toEqual({ status: "once", asked: "false", by })
})
