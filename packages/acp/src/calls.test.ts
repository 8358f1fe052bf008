import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

const execute = (id: string, command: string, more: object = {}) => ({
  ...{ toolCallId: id, title: `Run ${command}`, kind: "execute", rawInput: { command } },
  ...more,
})

const said = (text: string) => [{ type: "content", content: { type: "text", text } }]

test("an agent's calls are shown as Docket's own of their kind", async () => {
  const { delegate, calls, at } = await runAgent()
  const diff = { type: "diff", path: at("a.txt"), oldText: "one\n", newText: "ONE\n" }
  await delegate([
    { update: { sessionUpdate: "tool_call", ...execute("1", "ls", { status: "in_progress" }) } },
    { call: { toolCallId: "1", status: "completed", content: said("```console\na.txt\n```") } },
    { call: { toolCallId: "2", title: "Edit", kind: "edit", status: "completed", content: [diff] } },
    { call: { toolCallId: "3", title: "Read", kind: "read", status: "completed", locations: [{ path: at("a.txt") }] } },
    {
      call: {
        toolCallId: "4",
        title: "Fetch",
        kind: "fetch",
        status: "failed",
        rawInput: { url: "https://a.example/" },
      },
    },
    { call: { toolCallId: "5", title: "Think", kind: "think", status: "completed", rawInput: { about: "it" } } },
  ])
  expect(await calls()).toMatchObject([
    { tool: "bash", state: { status: "completed", output: "a.txt", metadata: { command: "ls", output: "a.txt" } } },
    {
      tool: "edit",
      state: { metadata: { file: "a.txt", additions: 1, deletions: 1, diff: expect.stringContaining("+ONE") } },
    },
    { tool: "read", state: { input: { filePath: "a.txt" } } },
    { tool: "webfetch", state: { status: "error", input: { url: "https://a.example/" } } },
    { tool: "acp", state: { title: "Think", input: { about: "it" } } },
  ])
})

test("text after calls begins the next message", async () => {
  const { delegate, messages } = await runAgent()
  await delegate([
    { say: "Before." },
    { call: execute("1", "true", { status: "completed" }) },
    { call: execute("2", "true", { status: "completed" }) },
    { say: "After." },
  ])
  const answers = (await messages()).filter(({ info }) => info.role === "assistant")
  expect(answers.map(({ info }) => info.role === "assistant" && info.finish)).toEqual(["tool-calls", "stop"])
  expect(answers.map(({ parts }) => parts.filter(({ type }) => type === "tool").length)).toEqual([2, 0])
})

test("a plan becomes todos, matched by their places", async () => {
  const { delegate, run, child } = await runAgent()
  const entry = (content: string, status: string) => ({ content, status, priority: "high" })
  const plan = (...entries: object[]) => ({ update: { sessionUpdate: "plan", entries } })
  await delegate([
    plan(entry("first", "in_progress"), entry("second", "pending")),
    plan(entry("doing first", "completed"), entry("second", "in_progress"), entry("third", "pending")),
  ])
  const { id } = await child()
  const todos = await run.runtime.todo.list(id)
  expect(todos.map(({ content, status }) => [content, status])).toEqual([
    ["doing first", "completed"],
    ["second", "in_progress"],
    ["third", "pending"],
  ])
  const history = await run.runtime.todo.history({ todoID: todos[0]?.id })
  expect(history.map(({ after }) => after?.content)).toEqual(expect.arrayContaining(["first", "doing first"]))
})

test("files that an agent writes by itself are of its step", async () => {
  const { delegate, at, run } = await runAgent()
  await delegate([
    { call: execute("1", "printf three > a.txt", { status: "in_progress" }) },
    { edit: { path: at("a.txt"), content: "three\n" } },
    { edit: { path: at("new.txt"), content: "new\n" } },
    { call: { toolCallId: "1", status: "completed" } },
    { say: "Written." },
  ])
  const { changes } = await run.runtime.changes.list(run.session.id)
  expect(changes.map(({ path, kind }) => [path, kind]).sort()).toEqual([
    ["a.txt", "changed"],
    ["new.txt", "added"],
  ])
  expect(await readFile(at("a.txt"), "utf8")).toBe("three\n")
})

test("usage and cost count for the task", async () => {
  const { delegate, child } = await runAgent()
  const usage = { totalTokens: 12, inputTokens: 10, outputTokens: 2 }
  const cost = (amount: number, currency = "USD") => ({
    update: { sessionUpdate: "usage_update", used: 100, size: 200_000, cost: { amount, currency } },
  })
  await delegate([cost(0.25), cost(0.75), cost(900, "JPY"), { usage }])
  expect(await child()).toMatchObject({ cost: 0.75, tokens: { input: 10, output: 2 } })
})

test("a later output takes the place of an earlier text", async () => {
  const { delegate, calls } = await runAgent()
  await delegate([
    { call: execute("1", "ls", { status: "pending", content: said("Lists files.") }) },
    { call: { toolCallId: "1", status: "completed", rawOutput: "a.txt" } },
    { call: execute("2", "ls", { rawInput: { command: ["/bin/bash", "-lc", "ls -a"] }, content: said("Proposed.") }) },
    { call: { toolCallId: "2", status: "completed", rawOutput: { formatted_output: ". .." } } },
  ])
  expect(await calls()).toMatchObject([
    { state: { output: "a.txt" } },
    { state: { output: ". ..", input: { command: "ls -a" } } },
  ])
})

test("texts with other ids are other texts", async () => {
  const { delegate, messages } = await runAgent()
  const chunk = (messageId: string, text: string) => ({
    update: { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } },
  })
  await delegate([chunk("1", "It is "), chunk("1", "started."), chunk("2", "All is done.")])
  const [, answer] = await messages()
  expect(answer?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual([
    "It is started.",
    "All is done.",
  ])
})

test("a change that an agent only speaks of is none", async () => {
  const { delegate, run, at } = await runAgent()
  const diff = { type: "diff", path: at("a.txt"), oldText: "one\n", newText: "ONE\n" }
  await delegate([
    { call: { toolCallId: "1", title: "Edit", kind: "edit", status: "completed", content: [diff] } },
    { write: { path: at("b.txt"), content: "new\n" } },
  ])
  const { changes } = await run.runtime.changes.list(run.session.id)
  expect(changes.map(({ path }) => path)).toEqual(["b.txt"])
})

test("an undone prompt takes back what an agent wrote", async () => {
  const { delegate, run, at } = await runAgent()
  await delegate([
    { call: execute("1", "make", { status: "in_progress" }) },
    { edit: { path: at("a.txt"), content: "three\n" } },
    { call: { toolCallId: "1", status: "completed" } },
  ])
  const [prompt] = (await run.messages()).items
  await run.runtime.session.revert(run.session.id, prompt?.info.id ?? "")
  expect(await readFile(at("a.txt"), "utf8")).toBe("one\ntwo\n")
})
