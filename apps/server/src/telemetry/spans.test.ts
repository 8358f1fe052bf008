import { answer, lastUserText, type Script, toolResults } from "@docket/core/test/scripted-runtime"
import { nodeTimers } from "@docket/core/timers"
import type { ReadableSpan } from "@opentelemetry/sdk-trace"
import { expect, test } from "vitest"
import { metric } from "./names.ts"
import { watchedRuntime } from "./test/watched-runtime.ts"

function traceparent(span: ReadableSpan | undefined): string {
  const { traceId, spanId } = span?.spanContext() ?? {}
  return `00-${traceId}-${spanId}-01`
}
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId
const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId

/** Makes one call, then answers with its result. */
const calling =
  (tool: string, input: object): Script =>
  (options) =>
    toolResults(options).length > 0 ? answer(toolResults(options).join()) : answer("", { tool, input })

test("a command knows the span of its call", async () => {
  const command = { command: 'echo "it is $TRACEPARENT"', description: "says it" }
  await using watched = await watchedRuntime(calling("bash", command), { config: { permission: "allow" } })
  const turn = await watched.prompt("Go")
  const [call] = watched.spans("execute_tool bash")
  const { items } = await watched.messages()
  const texts = items.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])))
  expect(texts.join()).toContain(`it is ${traceparent(call)}`)
  const [root] = watched.spans("invoke_agent build")
  expect(parentOf(call)).toBe(idOf(root))
  // The row names it, for whoever goes on with the turn.
  expect(turn.trace).toEqual({ of: traceparent(root), how: "after" })
  expect(root?.attributes).toMatchObject({ "docket.turn.status": "completed", "docket.turn.attempt": 1 })
  expect(watched.spans("docket.turn.queue").map(parentOf)).toEqual([idOf(root)])
  // The third one names the session.
  await expect.poll(() => watched.spans("chat one").map(parentOf)).toEqual([root, root, root].map(idOf))
})

test("a wait for a person is a span of its call", async () => {
  const command = { command: "echo hello", description: "greets" }
  const config = { permission: { bash: "ask" } }
  await using watched = await watchedRuntime(calling("bash", command), { config })
  const { id } = await watched.runtime.prompt.submit(watched.session.id, { parts: [{ type: "text", text: "Go" }] })
  const asked = await watched.until((item) => item.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("no request")
  await watched.runtime.permission.reply(asked.properties.request.id, "once")
  await watched.runtime.prompt.wait(id)
  const [wait] = watched.spans("docket.permission.wait")
  expect(parentOf(wait)).toBe(idOf(watched.spans("execute_tool bash")[0]))
  expect(wait?.attributes).toEqual({
    "docket.permission.name": "bash",
    "docket.permission.answer": "once",
    "gen_ai.agent.name": "build",
    "gen_ai.conversation.id": watched.session.id,
  })
})

test("a late turn says what it waits for, also on its span", async () => {
  let ahead = 0
  const ticks: (() => void)[] = []
  const late: string[] = []
  const pass = () => {
    ahead += 31_000
    for (const tick of ticks) tick()
  }
  const called = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const script: Script = async (options) => {
    if (toolResults(options).length === 0)
      return answer("", { tool: "bash", input: { command: "echo secret", description: "greets" } })
    called.resolve()
    await answered.promise
    return answer("Done.")
  }
  await using watched = await watchedRuntime(script, {
    config: { permission: { bash: "ask" } },
    clock: () => Date.now() + ahead,
    timers: {
      ...nodeTimers,
      every(_ms, run) {
        ticks.push(run)
        return () => void ticks.splice(ticks.indexOf(run), 1)
      },
    },
    onLate: (text) => void late.push(text),
  })
  const { id } = await watched.runtime.prompt.submit(watched.session.id, { parts: [{ type: "text", text: "Go" }] })
  const asked = await watched.until((item) => item.type === "permission.asked")
  if (asked.type !== "permission.asked") throw new Error("no request")
  expect(ticks.length).toBe(1)
  pass()
  pass()
  await watched.runtime.permission.reply(asked.properties.request.id, "once")
  await called.promise
  pass()
  answered.resolve()
  await watched.runtime.prompt.wait(id)
  const what = [
    /^the tool bash \(\d+ s\), a permission \(bash\) \(\d+ s\)$/,
    /^the next piece of the model \S+ \(\d+ s\)$/,
  ]
  const begin = `turn ${id} of session ${watched.session.id} waits for `
  expect(late.map((text) => text.replace(begin, ""))).toEqual(what.map((one) => expect.stringMatching(one)))
  const [root] = watched.spans("invoke_agent build")
  const events = root?.events.map(({ name, attributes }) => [name, attributes?.["docket.waits_for"]])
  expect(events).toEqual(what.map((one) => ["late", expect.stringMatching(one)]))
  expect(ticks).toEqual([])
})

test("a background subagent has a trace that follows its call", async () => {
  const script: Script = (options) => {
    const prompt = lastUserText(options)
    if (prompt === "dig") return answer("Found.")
    if (prompt !== "Go" || toolResults(options).length > 0) return answer("Done.")
    return answer("", { tool: "async_task", input: { agent: "explore", prompt: "dig", description: "dig" } })
  }
  await using watched = await watchedRuntime(script, { config: { permission: "allow" } })
  await watched.prompt("Go")
  // The turn that tells of the end has ended, too.
  await expect.poll(() => watched.spans("invoke_agent build")).toHaveLength(2)
  const [child] = watched.spans("invoke_agent explore")
  const [call] = watched.spans("execute_tool async_task")
  expect(child?.parentSpanContext).toBeUndefined()
  expect(child?.links.map(({ context }) => context.spanId)).toEqual([idOf(call)])
  expect(child?.spanContext().traceId).not.toBe(call?.spanContext().traceId)
})

test("failures are spans with an error, by kind and without words", async () => {
  const script: Script = (options) => {
    if (lastUserText(options) === "Break") throw new Error("the secret plan failed")
    return toolResults(options).length > 0
      ? answer("Done.")
      : answer("", { tool: "read", input: { filePath: "missing.txt" } }, { tool: "nonsense", input: {} })
  }
  await using watched = await watchedRuntime(script, { config: { permission: "allow" } })
  await watched.prompt("Go")
  expect((await watched.prompt("Break")).status).toBe("failed")
  const failed = [watched.spans("execute_tool read"), watched.spans("execute_tool nonsense"), watched.spans("chat one")]
  expect(failed.map((spans) => spans.at(-1)?.status)).toEqual([{ code: 2 }, { code: 2 }, { code: 2 }])
  expect(failed.map((spans) => spans.at(-1)?.attributes["error.type"])).toEqual(["Error", "Error", "Error"])
  expect(watched.spans("invoke_agent build").map(({ attributes }) => attributes["docket.turn.status"])).toEqual([
    "completed",
    "failed",
  ])
  const measured = await watched.measured()
  const tools = measured[metric.toolDuration.name]?.map(({ labels }) => labels["gen_ai.tool.name"])
  // What a model makes up is no label.
  expect(tools?.toSorted()).toEqual(["_OTHER", "read"])
})

test("metrics count turns, tokens, tools and readers, and name no session", async () => {
  await using watched = await watchedRuntime(calling("todoread", {}))
  await watched.prompt("Go")
  await expect.poll(() => watched.spans("chat one")).toHaveLength(3)
  const measured = await watched.measured()
  const valuesOf = (name: string) => measured[name]?.map(({ value }) => value)
  expect(measured[metric.turns.name]).toEqual([
    { labels: { "docket.turn.status": "completed", "docket.turn.is_child": false }, value: 1 },
  ])
  expect(valuesOf(metric.takeovers.name)).toEqual([0])
  expect(valuesOf(metric.queueWait.name)).toEqual([1])
  expect(valuesOf(metric.readers.name)).toEqual([1])
  expect(valuesOf(metric.firstChunk.name)).toEqual([3])
  expect(valuesOf(metric.modelDuration.name)).toEqual([3])
  expect(measured[metric.tokenUsage.name]?.map(({ labels }) => labels["gen_ai.token.type"])).toEqual([
    "input",
    "output",
  ])
  expect(measured[metric.toolDuration.name]).toEqual([{ labels: { "gen_ai.tool.name": "todoread" }, value: 1 }])
  expect(JSON.stringify(measured)).not.toMatch(/ses_|trn_|prj_|msg_/)
})

test("what was said is in spans only when wanted, and without secrets", async () => {
  const secret = `hunter${"2".repeat(3)}`
  const write = { filePath: "notes.txt", content: `password = "${secret}-Zx9!"` }
  const script = calling("write", write)
  const config = { permission: "allow" }
  const said = async (content: boolean) => {
    await using watched = await watchedRuntime(script, { content, config })
    await watched.prompt("Keep the password")
    // Redaction waits for what is secret in the project.
    await expect.poll(() => watched.spans("chat one")).toHaveLength(3)
    const spans = [...watched.spans("chat one"), ...watched.spans("execute_tool write")]
    return JSON.stringify(spans.map(({ attributes }) => attributes))
  }
  expect(await said(false)).not.toMatch(/Keep the password|notes\.txt/)
  const told = await said(true)
  expect(told).toContain("Keep the password")
  expect(told).toContain("notes.txt")
  expect(told).toContain("[redacted:")
  expect(told).not.toContain(secret)
})
