import { afterAll, beforeAll, expect, test } from "vitest"
import { createDocketClient } from "./create-docket-client.ts"
import { type LiveService, startLiveService } from "./test/live-service.ts"

let service: LiveService

beforeAll(async () => {
  service = await startLiveService()
})
afterAll(() => service.close())

test("a person adds, edits, reorders, ticks and deletes todos, and reads history", async () => {
  const { todo } = createDocketClient(service)
  const sessionID = service.session.id
  const contents = async () => (await todo.list.query({ sessionID })).map((item) => item.content)

  const [one] = await todo.replace.mutate({
    sessionID,
    todos: [
      { content: "one", status: "pending", priority: "medium" },
      { content: "two", status: "pending", priority: "low", dependsOn: ["one"] },
    ],
  })
  const three = await todo.create.mutate({ sessionID, content: " three ", priority: "high", position: 0 })
  expect(await contents()).toEqual(["three", "one", "two"])
  await todo.update.mutate({ todo: three.number, position: 2, description: "why" })
  expect(await contents()).toEqual(["one", "two", "three"])

  await expect(todo.update.mutate({ todo: "#2", status: "in_progress" })).rejects.toMatchObject({
    data: { docketCode: "todo_blocked", httpStatus: 409 },
  })
  await expect(todo.update.mutate({ todo: 1, dependsOn: ["2"] })).rejects.toMatchObject({
    data: { docketCode: "todo_cycle" },
  })
  await todo.update.mutate({ todo: one?.id ?? "", status: "in_progress" })
  await todo.update.mutate({ todo: one?.id ?? "", status: "completed" })
  expect(await todo.evidence.query({ todo: 1 })).toMatchObject({ sessionID, spans: [{ endedAt: expect.any(Number) }] })
  expect(await todo.evidence.query({ todo: 2 })).toBeNull()

  await todo.remove.mutate({ todo: three.id })
  expect(await contents()).toEqual(["one", "two"])
  await expect(todo.get.query({ todo: three.id })).rejects.toMatchObject({ data: { docketCode: "todo_not_found" } })
  const [last] = await todo.history.query({ sessionID, limit: 1 })
  expect(last).toMatchObject({ todoID: three.id, after: null, actor: { kind: "user" } })
  expect(Object.keys(await todo.tree.query({ sessionID }))).toEqual([sessionID])
})

test("tenant-wide todos are found beside a session's own", async () => {
  const { todo } = createDocketClient(service)
  const sessionID = service.session.id
  const wide = await todo.create.mutate({ sessionID: null, content: "wide" })
  const found = async (scope: Parameters<typeof todo.find.query>[0]["scope"]) =>
    (await todo.find.query({ scope })).some((item) => item.id === wide.id)
  expect(await found({ kind: "tenant" })).toBe(true)
  expect(await found({ kind: "session", sessionID })).toBe(true)
  expect((await todo.list.query({ sessionID })).some((item) => item.id === wide.id)).toBe(false)
})
