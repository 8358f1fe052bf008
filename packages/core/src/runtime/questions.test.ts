import { expect, test } from "vitest"
import type { FeedItem, PermissionRequest, ToolPart } from "../ground/schema/index.ts"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

const question = {
  tool: "question",
  input: { questions: [{ header: "Way", question: "Which way?", options: [{ label: "left" }, { label: "right" }] }] },
}
const delegate = (prompt: string, tool = "task") => ({
  tool,
  input: { prompt, description: prompt, [tool === "task" ? "subagent_type" : "agent"]: "lead" },
})
/** A subagent that may ask and delegate. */
const config = {
  delegation: { envelope: false },
  agent: { lead: { mode: "subagent", description: "Leads.", permission: { question: "allow", task: "allow" } } },
}

async function asked(host: ScriptedRuntime): Promise<PermissionRequest> {
  const event = await host.until(({ type }: FeedItem) => type === "permission.asked")
  if (event.type !== "permission.asked") throw new Error("nothing asked")
  return event.properties.request
}

async function calls(host: ScriptedRuntime, sessionID: string): Promise<ToolPart[]> {
  const { items } = await host.messages(sessionID)
  return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

test("a grandchild's question appears at the root and is answered once", async () => {
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      if (results.length > 0) return answer(results.join(" "))
      const text = lastUserText(options)
      return answer("", text === "grandchild" ? question : delegate(text === "child" ? "grandchild" : "child"))
    },
    { config, titles: false },
  )
  const turn = host.prompt("Go down")
  const { id, rootID, sessionID } = await asked(host)
  expect(rootID).toBe(host.session.id)
  expect((await host.runtime.session.get(sessionID)).depth).toBe(2)
  const { permission } = host.runtime
  expect(await permission.pending(host.session.id)).toMatchObject([{ id, metadata: { kind: "question" } }])
  await permission.answer(id, [{ choices: [], own: "straight on" }])
  await expect(permission.answer(id, [{ choices: ["left"], own: null }])).rejects.toMatchObject({
    code: "permission_request_answered",
    message: expect.stringContaining("This was answered by you elsewhere"),
  })
  expect((await turn).status).toBe("completed")
  const [call] = await calls(host, sessionID)
  expect(call?.state).toMatchObject({
    status: "completed",
    title: "Way",
    output: expect.stringContaining("straight on"),
    metadata: { answers: [{ own: "straight on" }], by: "local" },
  })
  expect(JSON.stringify((await host.messages()).items)).toContain("straight on")
})

test("a turn goes on after its question was dismissed", async () => {
  await using host = await scriptedRuntime((options) => {
    const [result] = toolResults(options)
    return result === undefined ? answer("", question) : answer(result)
  })
  const turn = host.prompt("Ask me")
  const { id } = await asked(host)
  await host.runtime.permission.reply(id, "reject")
  expect((await turn).status).toBe("completed")
  expect(JSON.stringify((await host.messages()).items.at(-1)?.parts)).toContain("dismissed the question")
})

test("a background task has no question tool, and its call asks nobody", async () => {
  const offered: string[][] = []
  await using host = await scriptedRuntime(
    (options) => {
      const results = toolResults(options)
      if (lastUserText(options) !== "child")
        return results.length > 0 ? answer("Started.") : answer("", delegate("child", "async_task"))
      offered.push((options.tools ?? []).map(({ name }) => name))
      return results.length > 0 ? answer(results.join(" ")) : answer("", question)
    },
    { config },
  )
  await host.prompt("Start")
  const ended = await host.until(
    (event) => event.type === "task.updated" && event.properties.task.state === "completed",
  )
  if (ended.type !== "task.updated") throw new Error("no task")
  expect(offered[0]).toContain("read")
  expect(offered[0]).not.toContain("question")
  const [call] = await calls(host, ended.properties.task.sessionID)
  expect(call?.state).toMatchObject({
    status: "error",
    error: expect.stringContaining("Nobody can be asked from here"),
  })
  expect(host.events.some(({ type }) => type === "permission.asked")).toBe(false)
})

test("build and plan may ask; other agents only by their own rules", async () => {
  let offered: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      offered = (options.tools ?? []).map(({ name }) => name)
      return answer("Done.")
    },
    {
      config: {
        agent: {
          own: { mode: "primary", prompt: "You are own." },
          asking: { mode: "primary", prompt: "You ask.", permission: { question: "ask" } },
        },
      },
    },
  )
  const asking: string[] = []
  for (const agent of ["build", "plan", "general", "own", "asking"]) {
    const { id } = await host.runtime.prompt.submit(host.session.id, { parts: [{ type: "text", text: "Go" }], agent })
    await host.runtime.prompt.wait(id)
    if (offered.includes("question")) asking.push(agent)
  }
  expect(asking).toEqual(["build", "plan", "asking"])
})
