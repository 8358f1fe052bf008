import { expect, test } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import { answer, lastUserText, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

const by = { actor: { kind: "user", name: "Ada" } } as const

const write = (...items: [string, string][]) => ({
  tool: "todowrite",
  input: { todos: items.map(([content, status]) => ({ content, status, priority: "medium" })) },
})

async function list(host: ScriptedRuntime): Promise<string[]> {
  return (await host.runtime.todo.list(host.session.id)).map(
    (todo) => `#${todo.number} ${todo.content}: ${todo.status}`,
  )
}

async function outputs(host: ScriptedRuntime): Promise<string[]> {
  const { items } = await host.messages()
  return items
    .flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
    .map(({ state }) => (state.status === "completed" ? state.output : ""))
}

test("a model's outdated list overwrites no todo change of a person", async () => {
  let step = 0
  await using host = await scriptedRuntime(async () => {
    step += 1
    if (step === 1) return answer("", write(["plan", "in_progress"], ["build", "pending"]))
    if (step === 2) {
      // A person changes the list while the model thinks.
      const { todo } = host.runtime
      await todo.create({ sessionID: host.session.id, content: "call Ada" }, by)
      await todo.update(2, { status: "completed" }, by)
      return answer("", write(["plan", "completed"], ["build", "in_progress"]))
    }
    return step === 3 ? answer("", write(["plan", "completed"], ["build", "pending"])) : answer("Done.")
  })
  await host.prompt("Go")
  const [, second, third] = await outputs(host)
  expect(second).toContain('- #2 "build" was changed by the user; it stays: status "completed"')
  expect(second).toContain('- #3 "call Ada" (pending) was added by the user; it stays')
  // The model has seen the current list: it may reopen an item, but still not drop one of a person.
  expect(third).not.toContain("was changed")
  expect(await list(host)).toEqual(["#1 plan: completed", "#2 build: pending", "#3 call Ada: pending"])
  expect(host.errors).toEqual([])
})

test("an agent removes its own items by leaving them out, also later", async () => {
  let turn = 0
  await using host = await scriptedRuntime((options) => {
    if (options.prompt.at(-1)?.role === "tool") return answer("Done.")
    turn += 1
    return turn === 1
      ? answer("/todo add by a command\n\n", write(["a", "pending"], ["b", "pending"]))
      : answer("", write(["b", "pending"]))
  })
  await host.prompt("one")
  await host.prompt("two")
  expect(await list(host)).toEqual(["#2 b: pending"])
  expect((await outputs(host)).join()).not.toContain("stays")
})

test("a parent is notified of its child's todo changes and keeps them", async () => {
  const notices: string[] = []
  await using host = await scriptedRuntime((options) => {
    const told = lastUserText(options)
    if (told.startsWith("dig")) return told.includes("END TOOL RESULTS") ? answer("ok") : answer("/todo done 1")
    if (told.includes("END TOOL RESULTS")) return answer("ok")
    if (told.includes("changed by others")) notices.push(told)
    const calls = options.prompt.flatMap(({ role, content }) =>
      role === "assistant" ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : [])) : [],
    )
    if (calls.length === 0) return answer("", write(["dig", "in_progress"]))
    if (calls.length === 1)
      return answer("", { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "general" } })
    return calls.length === 2 ? answer("", write(["dig", "in_progress"], ["report", "pending"])) : answer("Done.")
  })
  await host.prompt("Go")
  expect(notices[0]).toContain('- The agent general set #1 "dig" to completed')
  expect(await list(host)).toEqual(["#1 dig: completed", "#2 report: pending"])
  expect(host.errors).toEqual([])
})
