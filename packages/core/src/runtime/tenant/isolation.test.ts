import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { createInMemoryDatabase, type Store } from "../../ground/store/index.ts"
import { answer, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"

const createID = createIdSource()
const by = { actor: { kind: "user", name: "user" } } as const
const database = createInMemoryDatabase()
const secret = "xylophone"
/** The next answer of the asking tenant's model: text with inline commands, or a tool call. */
let said: { text: string; call?: { tool: string; input: unknown } } = { text: "" }

let asking: ScriptedRuntime
let foreign: Awaited<ReturnType<typeof fillForeign>>

/**
 * Two tenants of one database. Another runtime filled the foreign one; its numbers begin at 601, so that none is also a
 * number of the asking one.
 */
beforeAll(async () => {
  foreign = await fillForeign(database.store("foreign"))
  let step = 0
  asking = await scriptedRuntime(
    () => {
      step += 1
      if (step % 2 === 0) return answer("Done.")
      return said.call === undefined ? answer(said.text) : answer("", said.call)
    },
    { store: database.store("asking") },
  )
})
afterAll(async () => {
  await asking[Symbol.asyncDispose]()
})

async function fillForeign(store: Store) {
  await store.write.reserveTodoNumbers(600)
  for (let taken = 0; taken < 600; taken++)
    await Promise.all([store.memory.reserveNumber(), store.schedule.reserveNumber()])
  let calls = 0
  await using host = await scriptedRuntime(
    () => {
      calls += 1
      const input = { subagent_type: "explore", prompt: secret, description: secret }
      return calls === 1 ? answer("", { tool: "task", input }) : answer(secret)
    },
    { store },
  )
  const { runtime, session } = host
  await host.prompt("Ask somebody")
  const { projectID } = session
  for (const sessionID of [null, session.id]) await runtime.todo.create({ sessionID, content: secret }, by)
  const fact = { type: "project", title: secret, content: secret } as const
  for (const place of [{}, { projectID }, { sessionID: session.id }]) await runtime.memory.create({ ...fact, ...place })
  await runtime.schedule.create({ projectID, when: "in 500 weeks", message: secret })
  const [task] = await runtime.task.list(session.id)
  return { session, task, todos: await runtime.todo.find({ scope: { kind: "all" } }) }
}

/** Everything of the foreign tenant that could be changed. */
async function foreignRows(): Promise<string> {
  const { session } = foreign
  const store = database.store("foreign")
  return JSON.stringify([
    await store.session.tree(session.id),
    await store.feed.head(session.id),
    await store.todo.find({ scope: { kind: "all" }, limit: 100 }),
    await store.todo.history({ limit: 1_000 }),
    await store.memory.list({ all: true, limit: 100 }),
    await store.schedule.list(),
    await store.task.tree(session.id),
  ])
}

/** Lets the asking tenant's model answer with `say`, and returns what it is told, without `id` and new ids. */
async function told(say: typeof said, id: string | number): Promise<string> {
  said = say
  const after = (await asking.messages()).items.at(-1)?.info.id ?? ""
  expect(await asking.prompt("Go")).toMatchObject({ status: "completed", error: null })
  const { items } = await asking.runtime.session.messages({ sessionID: asking.session.id, after })
  const outputs = items
    .flatMap((message) => message.parts)
    .flatMap((part) => {
      if (part.type === "text" && part.synthetic) return [part.text]
      if (part.type !== "tool") return []
      const { state } = part
      return [state.status === "completed" ? state.output : state.status === "error" ? state.error : state.status]
    })
  expect(outputs).not.toEqual([])
  return outputs
    .join("\n")
    .replaceAll(new RegExp(`\\b${id}\\b`, "g"), "<id>")
    .replaceAll(/tod_\w{26}/g, "<todo>")
}

const inlineCommand = (text: (number: number) => string) => ({
  kind: "number" as const,
  say: (id: string | number) => ({ text: text(Number(id)) }),
})
const tool = (kind: "number" | "todo" | "session" | "task", name: string, input: (id: string | number) => unknown) => ({
  kind,
  say: (id: string | number) => ({ text: "", call: { tool: name, input: input(id) } }),
})
const item = { content: "named", status: "pending", priority: "low" }

const attempts = [
  ...["start N", "done N", "cancel #N", "describe N: taken over", "subject N: taken over"].map((command) =>
    inlineCommand((number) => `/todo ${command.replace("N", String(number))}`),
  ),
  ...["get", "invalidate"].map((verb) => inlineCommand((number) => `/mem ${verb} ${number}`)),
  ...["pause", "cancel", "resume"].map((verb) => inlineCommand((number) => `/schedule ${verb} ${number}`)),
  ...["get", "invalidate"].map((action) => tool("number", "memory", (number) => ({ action, number }))),
  tool("number", "todoupdate", (number) => ({ todo: number, status: "completed" })),
  tool("todo", "todoupdate", (todo) => ({ todo, content: "taken over" })),
  tool("todo", "todowrite", (id) => ({ todos: [{ ...item, id }] })),
  tool("todo", "todowrite", (id) => ({ todos: [{ ...item, dependsOn: [id] }] })),
  tool("number", "todowrite", (number) => ({ todos: [{ ...item, dependsOn: [`#${number}`] }] })),
  tool("session", "task", (id) => ({ description: "go on", prompt: "planted", subagent_type: "explore", task_id: id })),
  tool("todo", "async_task", (todo) => ({ agent: "explore", prompt: "x", description: "serve it", todo })),
  ...(["session", "task"] as const).flatMap((kind) => [
    tool(kind, "async_task_result", (id) => ({ task_id: id })),
    tool(kind, "async_task_gather", (id) => ({ task_ids: [id] })),
    tool(kind, "async_task_cancel", (id) => ({ task_id: id })),
    tool(kind, "task_message", (id) => ({ task_id: id, message: "planted" })),
  ]),
]

const idsOf = {
  number: () => foreign.todos.map((todo) => todo.number),
  todo: () => foreign.todos.map((todo) => todo.id),
  session: () => [foreign.session.id, foreign.task?.sessionID ?? ""],
  task: () => [foreign.task?.id ?? ""],
}
const missing = {
  number: () => 900_001,
  todo: () => createID("todo"),
  session: () => createID("session"),
  task: () => createID("task"),
}

test("agent tools and inline commands treat foreign ids as unknown", async () => {
  await told({ text: "", call: { tool: "todowrite", input: { todos: [item] } } }, "none")
  const before = await foreignRows()
  const check = async ({ kind, say }: (typeof attempts)[number], pick: number) => {
    const ids = idsOf[kind]()
    const [id, none] = [ids[pick % ids.length] ?? "", missing[kind]()]
    const answered = await told(say(id), id)
    expect(answered).toBe(await told(say(none), none))
    expect(answered).not.toContain(secret)
    expect((await foreignRows()) === before).toBe(true)
  }
  for (const attempt of attempts) await check(attempt, 0)
  await fc.assert(fc.asyncProperty(fc.constantFrom(...attempts), fc.nat({ max: 100 }), check), drawn(60, 15))
  expect(asking.errors).toEqual([])
})

test("an agent lists and finds only what its own tenant owns", async () => {
  for (const call of [
    { tool: "memory", input: { action: "search", query: secret } },
    { tool: "memory", input: { action: "list" } },
    { tool: "todoread", input: {} },
  ]) {
    expect(await told({ text: "", call }, "none")).not.toContain(secret)
  }
  const listed = await told(
    { text: `/todo list\n/mem list\n/mem search ${secret.slice(0, 5)}\n/schedule list` },
    "none",
  )
  expect(listed).toContain("[/schedule list]")
  expect(listed).not.toContain(secret)
})
