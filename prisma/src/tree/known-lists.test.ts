import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createIdSource } from "@docket/core"
import type { Session, Todo, TodoChange } from "@docket/core/schema"
import type { Mutation, Store } from "@docket/core/store"
import { expect, it, onTestFinished } from "vitest"
import { openSqliteDatabase } from "../index.ts"
import { createKnownLists } from "./known-lists.ts"

const createID = createIdSource()

function session(): Session {
  const id = createID("session")
  return {
    id,
    projectID: createID("project"),
    parentID: null,
    rootID: id,
    depth: 0,
    directory: "/a",
    title: "A",
    agent: "build",
    model: null,
    permission: [],
    status: { type: "idle" },
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    origin: null,
    abortedAt: null,
    time: { created: 1, updated: 1, archived: null },
  }
}

function todo(sessionID: string, position: number): Todo {
  return {
    id: createID("todo"),
    number: position + 1,
    sessionID,
    content: `todo ${position}`,
    description: "",
    status: "pending",
    priority: "medium",
    position,
    dependsOn: [],
    owner: null,
    agent: null,
    proposed: null,
    time: { created: 1, updated: 1, completed: null },
  }
}

function put(value: Todo): Mutation {
  const { id: todoID, sessionID } = value
  const actor = { kind: "user", name: "user" } as const
  const place = { messageID: null, partID: null, before: null, after: value }
  const change: TodoChange = { id: createID("todoChange"), todoID, sessionID, at: 1, actor, ...place }
  return { kind: "todo", sessionID: sessionID ?? "", value, change }
}

const commit = (store: Store, { id }: Session, ...mutations: Mutation[]) =>
  store.write.commit([{ rootID: id, mutations }])

async function file(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "docket-lists-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  return join(directory, "docket.db")
}

it("two processes on one database see each other's changes of a list", async () => {
  const options = { file: await file(), clock: Date.now }
  const databases = [await openSqliteDatabase(options), await openSqliteDatabase(options)] as const
  const [mine, other] = [databases[0].store("a"), databases[1].store("a")]
  const root = session()
  await commit(mine, root, { kind: "session", value: root })
  const todos: Todo[] = []
  for (let position = 0; position < 6; position++) {
    const next = todo(root.id, position)
    todos.push(next)
    const [change] = await commit(position % 2 === 0 ? mine : other, root, put(next))
    expect(change).toMatchObject({ kind: "todos", value: todos })
    for (const store of [mine, other]) {
      expect(await store.todo.list(root.id)).toEqual(todos)
      expect(await store.todo.tree(root.id)).toEqual({ [root.id]: todos })
    }
  }
  for (const database of databases) await database.close()
})

it("a tenant created again after its removal has no old lists", async () => {
  const database = await openSqliteDatabase({ file: await file(), clock: Date.now })
  const root = session()
  for (const added of [todo(root.id, 0), todo(root.id, 1)]) {
    const store = database.store("a")
    await commit(store, root, { kind: "session", value: root })
    expect(await store.todo.list(root.id)).toEqual([])
    await commit(store, root, put(added))
    expect(await store.todo.list(root.id)).toEqual([added])
    await database.tenants.remove("a")
  }
  await database.close()
})

it("recent lists of up to 20,000 items are cached, never outdated ones", () => {
  const lists = createKnownLists()
  const list = (length: number) => Array.from({ length }, (_, position) => todo(createID("session"), position))
  const [first, second] = [list(9_000), list(9_000)]
  lists.keep("t", "first", { seq: 5, list: first })
  lists.keep("t", "second", { seq: 5, list: second })
  lists.keep("t", "first", { seq: 4, list: [] })
  expect(lists.get("t", "first")?.list).toBe(first)
  lists.keep("t", "third", { seq: 1, list: list(9_000) })
  expect(lists.get("t", "second")).toBeNull()
  expect(lists.get("t", "first")?.list).toBe(first)
  lists.keep("t", "huge", { seq: 1, list: list(20_001) })
  expect(lists.get("t", "huge")).toBeNull()
  lists.committed("t", [{ rootID: "r", seq: 6, kind: "todos", sessionID: "first", value: [] }])
  expect(lists.get("t", "first")).toBeNull()
  expect(lists.get("u", "third")).toBeNull()
})
