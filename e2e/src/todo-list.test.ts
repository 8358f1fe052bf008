import { expect, startSession, test } from "./fixtures/service-test.ts"
import { followTree } from "./fixtures/tree-log.ts"

test("HTTP returns a session's newest list, or an empty one", async ({ client, model, projectID, server }) => {
  const todos = (status: string) => [
    { content: "Look", status, priority: "high" },
    { content: "Change", status: "pending", priority: "low" },
  ]
  model.script({
    "Plan it": [
      { calls: [{ tool: "todowrite", args: { todos: todos("in_progress") } }] },
      { calls: [{ tool: "todowrite", args: { todos: todos("completed") } }] },
      { text: "Planned." },
    ],
  })
  const headers = { authorization: `Bearer ${server.token}` }
  const list = async (id: string) => await (await fetch(`${server.url}/session/${id}/todo`, { headers })).json()
  const sessionID = await startSession(client, projectID, "Plan it")
  const log = followTree(client, sessionID)
  await log.turnEnd(sessionID)
  log.close()
  const announced = log.events.flatMap((event) => (event.type === "todo.updated" ? [event.properties.todos] : []))
  expect(announced.map((items) => items.map((todo) => todo.status)).at(-1)).toEqual(["completed", "pending"])
  for (const items of announced) expect(items).toHaveLength(2)
  expect(await list(sessionID)).toEqual(announced.at(-1))
  const { id: empty } = await client.session.create.mutate({ projectID })
  expect(await list(empty)).toEqual([])
})
