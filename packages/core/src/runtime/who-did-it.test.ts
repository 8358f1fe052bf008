import { expect, test } from "vitest"
import type { Caller, FeedItem, ToolPart } from "../ground/schema/index.ts"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime, toolResults } from "../test/scripted-runtime.ts"

const ada: Caller = { person: "u1", workspace: "local", name: "Ada" }
const bo: Caller = { person: "u2", workspace: "local", name: "Bo" }
const text = (words: string) => ({ parts: [{ type: "text" as const, text: words }] })

const delegated = { tool: "task", input: { description: "wait", prompt: "wait", subagent_type: "general" } }

/** An agent that works until it is stopped, itself or in a task. */
function busy(): Promise<ScriptedRuntime> {
  const asked = new Set<string>()
  return scriptedRuntime((options) => {
    const words = lastUserText(options)
    if (words.startsWith("delegate") && !asked.has(words)) {
      asked.add(words)
      return answer("", delegated)
    }
    return new ReadableStream({
      start: (stream) => options.abortSignal?.addEventListener("abort", () => stream.error(new Error("cut"))),
    })
  })
}

const isAnswering = (item: FeedItem) =>
  item.type === "message.updated" && item.properties.info.role === "assistant" && item.properties.info.finish === null
const endOf = (turnID: string) => (item: FeedItem) =>
  item.type === "turn.updated" && item.properties.turn.id === turnID && item.properties.turn.status === "aborted"

test("a stop stores its author in turns, waiting prompts and transcript", async () => {
  await using host = await busy()
  const { id } = host.session
  const running = await host.runtime.as(bo).session.promptAsync({ sessionID: id, ...text("go on") })
  await host.until(isAnswering)
  const waiting = await host.runtime.as(bo).session.promptAsync({ sessionID: id, ...text("next") })
  await host.runtime.as(ada).session.abort({ sessionID: id })
  for (const turn of [running, waiting]) {
    expect(await host.store.turn.get(turn.id)).toMatchObject({ status: "aborted", by: bo, stoppedBy: ada })
    const told = await host.until(endOf(turn.id))
    expect(told.type === "turn.updated" && told.properties.turn.stoppedBy).toEqual(ada)
  }
  const { items } = await host.messages()
  expect(items.at(-1)?.info).toMatchObject({ error: { name: "AbortedError", by: ada } })
})

test("a withdrawn prompt stores its author; one removed by offboarding stores none", async () => {
  await using host = await busy()
  const { id } = host.session
  await host.runtime.as(bo).session.promptAsync({ sessionID: id, ...text("go on") })
  await host.until(isAnswering)
  const waiting = await host.runtime.as(bo).session.promptAsync({ sessionID: id, ...text("next") })
  const left = await host.runtime.as(bo).session.promptAsync({ sessionID: id, ...text("last") })
  expect(await host.runtime.as(ada).session.withdraw({ turnID: waiting.id })).toEqual({ withdrawn: true })
  expect(await host.store.turn.get(waiting.id)).toMatchObject({ status: "aborted", by: bo, stoppedBy: ada })
  await host.runtime.offboarding.offboard(bo.person)
  const gone = await host.store.turn.get(left.id)
  expect([gone?.status, gone?.stoppedBy]).toEqual(["aborted", undefined])
  await host.runtime.abort(id)
})

test("a cancelled task and its child store the author of the cancellation", async () => {
  await using host = await busy()
  const { id } = host.session
  const isChilds = (item: FeedItem) =>
    isAnswering(item) && item.type === "message.updated" && item.properties.info.sessionID !== id
  await host.runtime.as(bo).session.promptAsync({ sessionID: id, ...text("delegate") })
  await host.until(isChilds)
  const [first] = await host.runtime.task.list(id)
  await host.runtime.as(ada).task.cancel({ taskID: first?.id ?? "" })
  expect(await host.runtime.task.get(first?.id ?? "")).toMatchObject({
    state: "cancelled",
    error: { type: "cancelled", by: ada },
  })
  const { items } = await host.messages(first?.sessionID)
  expect(items.at(-1)?.info).toMatchObject({ error: { name: "AbortedError", by: ada } })
  await host.runtime.abort(id)

  await host.runtime.as(ada).session.promptAsync({ sessionID: id, ...text("delegate again") })
  const isSecond = (item: FeedItem) =>
    isChilds(item) && item.type === "message.updated" && item.properties.info.sessionID !== first?.sessionID
  await host.until(isSecond)
  await host.runtime.as(bo).session.abort({ sessionID: id })
  const second = (await host.runtime.task.list(id)).at(-1)
  expect(second).toMatchObject({ number: 2, state: "cancelled", error: { type: "cancelled", by: bo } })
})

test("a call stores who allowed or refused it", async () => {
  const command = (echo: string) => ({ tool: "bash", input: { command: `echo ${echo}` } })
  await using host = await scriptedRuntime(
    (options) => (toolResults(options).length === 0 ? answer("", command(lastUserText(options))) : answer("Done.")),
    { config: { permission: { bash: "ask" } } },
  )
  const { id } = host.session
  const ask = async (words: string, reply: "once" | "rejected") => {
    const turn = await host.runtime.as(bo).session.promptAsync({ sessionID: id, ...text(words) })
    const pending = () => host.runtime.permission.pending(id)
    await expect.poll(async () => (await pending()).length).toBe(1)
    const [request] = await pending()
    await host.runtime
      .as(ada)
      .permission.reply({ requestID: request?.id ?? "", reply: reply === "once" ? "once" : "reject" })
    await host.runtime.prompt.wait(turn.id)
    const late = host.runtime.as(bo).permission.reply({ requestID: request?.id ?? "", reply: "once" })
    await expect(late).rejects.toThrow("by Ada before your answer came")
    const { items } = await host.messages()
    return items.flatMap(({ parts }) => parts).findLast((part): part is ToolPart => part.type === "tool")?.state
  }
  const leave = { by: "u1", byName: "Ada" }
  expect(await ask("one", "once")).toMatchObject({
    status: "completed",
    metadata: { leave: { ...leave, status: "once" } },
  })
  expect(await ask("two", "rejected")).toMatchObject({
    status: "error",
    metadata: { rejected: true, leave: { ...leave, status: "rejected" } },
  })
})
