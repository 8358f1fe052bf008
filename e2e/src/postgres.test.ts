import { z } from "zod"
import {
  expect,
  isEnded,
  launch,
  noticesOf,
  outputsOf,
  settled,
  startSession,
  tasksOf,
  test,
  textsOf,
} from "./fixtures/service-test.ts"
import { expectWhole } from "./fixtures/whole-tree.ts"

test.override({ database: "postgres" })

test("on PostgreSQL, a prompt and three background children survive a restart", async ({
  client,
  model,
  projectID,
  server,
}) => {
  const todo = { content: "Read what they found", status: "in_progress", priority: "high" }
  model.script({
    "Look around": [
      { text: "I look.", calls: [{ tool: "read", args: { filePath: "src/names.js" } }] },
      {
        calls: [
          launch("explore", "Research alpha"),
          launch("general", "Research beta"),
          launch("explore", "Research gamma"),
          { tool: "todowrite", args: { todos: [todo] } },
        ],
      },
      { calls: [{ tool: "async_task_gather", args: { task_ids: ["1", "2", "3"], until: "all", wait_ms: 30_000 } }] },
      { text: "All three are back." },
    ],
    "Research alpha": [{ calls: [{ tool: "glob", args: { pattern: "**/*.js" } }] }, { text: "alpha is in src" }],
    "Research beta": [{ text: "beta is in test" }],
    "Research gamma": [{ text: "gamma is nowhere" }],
    "And then": [{ text: "It goes on." }],
  })
  const sessionID = await startSession(client, projectID, "Look around")
  await settled(client, sessionID)

  expect((await outputsOf(client, sessionID, "read"))[0]).toContain("parseNames")
  const [gathered] = await outputsOf(client, sessionID, "async_task_gather")
  for (const found of ["alpha is in src", "beta is in test", "gamma is nowhere"]) expect(gathered).toContain(found)
  expect(Object.values(await tasksOf(client, sessionID)).map((task) => task.state)).toEqual(Array(3).fill("completed"))
  expect(await noticesOf(client, sessionID)).toEqual([])
  await expectWhole(client, sessionID)

  const read = async () => ({
    tree: await client.session.tree.query({ sessionID }),
    messages: await client.session.messages.query({ sessionID }),
    todos: await client.todo.list.query({ sessionID }),
  })
  const before = await read()
  expect(before.todos.map((todo) => todo.content)).toEqual(["Read what they found"])
  await server.kill()
  await server.restart()
  const after = await read()
  expect(after.messages.items).toEqual(before.messages.items)
  expect({ ...after, messages: null }).toEqual({ ...before, messages: null })
  expect(after.tree.tasks.every(isEnded)).toBe(true)

  await client.session.prompt.mutate({ sessionID, parts: [{ type: "text", text: "And then" }] })
  expect((await textsOf(client, sessionID, "assistant")).at(-1)).toBe("It goes on.")
})

const Todos = z.object({ todos: z.array(z.looseObject({ id: z.number(), subject: z.string(), status: z.string() })) })
const Made = z.object({ todo: z.looseObject({ id: z.number() }) })
const Token = z.object({ token: z.string() })

test("on PostgreSQL, the todo API separates tenants, also after a restart", async ({ server }) => {
  const call = async (token: string, method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === "" ? null : JSON.parse(text) }
  }
  const tokenOf = async (tenant: string) =>
    Token.parse((await call(server.token, "POST", "/api/tokens", { tenant, name: "robot" })).body).token
  const [ada, bob] = [await tokenOf("ada"), await tokenOf("bob")]
  const subjects = ["write", "test", "ship"]
  const made: number[] = []
  for (const subject of subjects) {
    const { status, body } = await call(ada, "POST", "/v1/todos", { subject })
    expect(status).toBe(201)
    made.push(Made.parse(body).todo.id)
  }
  const [first, second, third] = made
  expect((await call(ada, "PATCH", `/v1/todos/${first}`, { status: "completed" })).status).toBe(200)
  expect((await call(ada, "DELETE", `/v1/todos/${third}`)).status).toBe(200)
  expect((await call(bob, "GET", `/v1/todos/${second}`)).status).toBe(404)

  const expectItems = async () => {
    const listed = Todos.parse((await call(ada, "GET", "/v1/todos")).body).todos
    expect(listed.map(({ subject, status }) => [subject, status])).toEqual([
      ["test", "pending"],
      ["write", "completed"],
    ])
    expect(Todos.parse((await call(bob, "GET", "/v1/todos")).body).todos).toEqual([])
  }
  await expectItems()
  await server.kill()
  await server.restart()
  await expectItems()
})
