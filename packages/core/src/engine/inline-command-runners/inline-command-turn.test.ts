import { expect, test } from "vitest"
import type { MessageWithParts } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
} from "../../test/scripted-runtime.ts"

const by = { actor: { kind: "user", name: "user" } } as const

const texts = (items: MessageWithParts[]) =>
  items.map(({ info, parts }) => [
    info.role,
    ...parts.flatMap((part) => (part.type === "text" ? [`${part.synthetic ? "~" : ""}${part.text}`] : [])),
  ])

async function contents(host: ScriptedRuntime) {
  return (await host.runtime.todo.list(host.session.id)).map((todo) => `${todo.content}: ${todo.status}`)
}

test("inline commands in an answer run, and the model gets their results", async () => {
  const seen: string[] = []
  await using host = await scriptedRuntime((options) => {
    seen.push(lastUserText(options))
    return seen.length === 1 ? answer("I plan.\n/todo add write it\n/todo start 1\n/todo list") : answer("All noted.")
  })
  expect(await host.prompt("Go")).toMatchObject({ status: "completed" })
  expect(seen[1]).toContain("▶ #1 [in_progress] write it\n[END TODO]\n[END TOOL RESULTS]")
  expect(await contents(host)).toEqual(["write it: in_progress"])
  const { items } = await host.messages()
  expect(texts(items).map(([role, text]) => [role, text?.slice(0, 9)])).toEqual([
    ["user", "Go"],
    ["assistant", "I plan.\n/"],
    ["user", "~[/todo a"],
    ["assistant", "All noted"],
  ])
  const evidence = await host.runtime.todo.evidence(1)
  expect(evidence?.spans[0]?.fromPartID).toBe(items[1]?.parts.find((part) => part.type === "text")?.id)
  expect(host.errors).toEqual([])
})

test("an answer that only quotes commands runs none and ends the turn", async () => {
  let calls = 0
  await using host = await scriptedRuntime(() => {
    calls += 1
    return answer("Use `/todo add x` or:\n```\n/todo add y\n```\n")
  })
  await host.prompt("How?")
  expect(calls).toBe(1)
  expect(await contents(host)).toEqual([])
  expect((await host.messages()).items).toHaveLength(2)
})

test("a model that only lists todos stops after six rounds", async () => {
  let calls = 0
  await using host = await scriptedRuntime(() => {
    calls += 1
    return answer("/todo list")
  })
  expect(await host.prompt("Go")).toMatchObject({ status: "completed" })
  expect(calls).toBe(7)
})

test("inline commands beside tool calls run after the calls", async () => {
  await using host = await scriptedRuntime((options) => {
    if (lastUserText(options).includes("END TOOL RESULTS")) return answer("Done.")
    return toolResults(options).length > 0
      ? answer("never")
      : answer("/todo add look\n\n", { tool: "glob", input: { pattern: "*.txt" } })
  })
  await host.prompt("Go")
  expect(await contents(host)).toEqual(["look: pending"])
  expect(texts((await host.messages()).items).at(-1)).toEqual(["assistant", "Done."])
})

test("an answer that hit the output limit stores no half-written todo", async () => {
  let calls = 0
  await using host = await scriptedRuntime(() => {
    calls += 1
    if (calls > 1) return answer("Ok.")
    const parts = answer("/todo add one\n\n/todo add write the po")
    return parts.map((part) =>
      part.type === "finish" ? { ...part, finishReason: { unified: "length", raw: "length" } } : part,
    )
  })
  await host.prompt("Go")
  expect(await contents(host)).toEqual(["one: pending"])
  expect(texts((await host.messages()).items)[2]?.[1]).toContain("ERR: missing /endtodo terminator")
})

test("a prompt of nothing but commands is answered without a model", async () => {
  await using host = await scriptedRuntime(() => {
    throw new Error("no model is asked")
  })
  expect(await host.prompt("/todo add buy milk\n/todo list")).toMatchObject({ status: "completed", error: null })
  expect(await contents(host)).toEqual(["buy milk: pending"])
  const { items } = await host.messages()
  expect(texts(items).at(-1)).toEqual(["assistant", expect.stringContaining("#1 [pending] buy milk\n[END TODO]")])
  expect(items.at(-1)?.info).toMatchObject({ role: "assistant", finish: "stop", cost: 0 })
  expect(host.errors).toEqual([])
})

test("results of inline commands in a longer prompt reach the model too", async () => {
  let seen = ""
  await using host = await scriptedRuntime((options) => {
    seen = lastUserText(options)
    return answer("Yes.")
  })
  await host.prompt("Note this:\n/todo add buy milk\n\nand say yes")
  expect(seen).toContain("and say yes")
  expect(seen).toContain("OK: added #1 — buy milk\n[END TODO]\n[END TOOL RESULTS]")
  expect(seen).not.toContain("system-reminder")
})

test("the model is notified once of a person's todo changes", async () => {
  const seen: string[] = []
  await using host = await scriptedRuntime((options) => {
    seen.push(lastUserText(options))
    return answer("Ok.")
  })
  await host.prompt("first")
  const todo = await host.runtime.todo.create({ sessionID: host.session.id, content: "from the browser" }, by)
  await host.runtime.todo.update(todo.number, { status: "completed" }, by)
  await host.prompt("second")
  await host.prompt("third")
  expect(seen[1]).toContain(
    '- The user added #1 "from the browser" (pending)\n- The user set #1 "from the browser" to completed',
  )
  expect(seen[0]).not.toContain("system-reminder")
  expect(seen[2]).not.toContain("system-reminder")
})

test("a compaction keeps the open todos in its request and next message", async () => {
  const prompts: string[] = []
  const inputTokens = { total: 99_000, noCache: 99_000, cacheRead: 0, cacheWrite: 0 }
  const full = answer("x ".repeat(200), { tool: "glob", input: { pattern: "*" } }).map((part) =>
    part.type === "finish" ? { ...part, usage: { ...part.usage, inputTokens } } : part,
  )
  await using host = await scriptedRuntime((options) => {
    const text = lastUserText(options)
    prompts.push(text)
    if (text.startsWith("Write the summary")) return answer("## Objective\nGo on.")
    return toolResults(options).length > 0 || text.startsWith("Continue") ? answer("Done.") : full
  })
  await host.runtime.todo.create({ sessionID: host.session.id, content: "keep me" }, by)
  await host.prompt("Go")
  for (const start of ["Write the summary", "Continue if"]) {
    expect(prompts.find((text) => text.startsWith(start))).toContain(
      "1 open (0 in progress, 1 pending):\n#1 [pending] keep me",
    )
  }
})
