import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TodoChange } from "@docket/core/schema"
import { root, textPart, todo, turn, userMessage } from "@docket/core/store/contract"
import { expect, it, onTestFinished } from "vitest"
import { migrateSqlite } from "../migrate/migrate-sqlite.ts"
import { readMigrations } from "../migrate/migrations.ts"
import { createConnectionLock } from "../sqlite/connection-lock.ts"
import { openSqlite } from "../sqlite/open-sqlite.ts"
import { createSqliteDatabase } from "../sqlite/sqlite-database.ts"
import { createTenantDatabase } from "./create-tenant-database.ts"

/** A database in which every call of Prisma's client fails. */
async function withoutClient() {
  const directory = await mkdtemp(join(tmpdir(), "docket-typed-calls-"))
  const file = join(directory, "docket.db")
  const connection = openSqlite(file)
  await migrateSqlite({ connection, file, clock: Date.now }, await readMigrations("sqlite"))
  const client = { run: () => Promise.reject(new Error("a typed call")), close: async () => {} }
  const clients = { records: client, accounts: client }
  const opened = createTenantDatabase(createSqliteDatabase(connection, createConnectionLock(), clients), () => {})
  onTestFinished(async () => {
    await opened.close()
    await rm(directory, { recursive: true })
  })
  return opened
}

it("opening a session uses only prepared statements, not Prisma's client", async () => {
  const store = (await withoutClient()).store("a")
  const session = root()
  const messages = [userMessage(session), userMessage(session), userMessage(session)]
  const part = textPart(messages[1] ?? userMessage(session))
  const open = turn(session)
  await store.write.commit([
    {
      rootID: session.id,
      mutations: [
        { kind: "session", value: session },
        ...messages.map((value) => ({ kind: "message", value }) as const),
        { kind: "part", value: part },
        { kind: "turn", value: open },
      ],
    },
  ])
  expect(await store.session.get(session.id)).toMatchObject({ id: session.id })
  expect(await store.session.tree(session.id)).toHaveLength(1)
  expect(await store.turn.open({ rootID: session.id })).toEqual([open])
  expect(await store.task.tree(session.id)).toEqual([])
  expect(await store.permission.pending(session.id)).toEqual([])
  const anchors = [{}, { after: messages[0]?.id }, { before: messages[2]?.id }, { around: part.id }]
  for (const at of anchors) {
    const { items } = await store.transcript.page({ sessionID: session.id, limit: 2, ...at })
    expect(items).toHaveLength(2)
  }
  expect(await store.transcript.sinceCompaction(session.id)).toHaveLength(3)
})

it("tenant-wide todos and tokens use only prepared statements", async () => {
  const database = await withoutClient()
  const store = database.store("a")
  const number = await store.write.reserveTodoNumbers(1)
  const item = { ...todo(root(), 0), number, sessionID: null }
  const change = (id: string, after: typeof item | null): TodoChange => ({
    id,
    todoID: item.id,
    sessionID: null,
    at: 1,
    actor: { kind: "user", name: "user" },
    messageID: null,
    partID: null,
    before: null,
    after,
  })
  await store.todo.putTenantWide(item, change("tch_1", item))
  await store.todo.putTenantWide({ ...item, content: "reworded" }, change("tch_2", item))
  expect(await store.todo.byNumber(number)).toMatchObject({ content: "reworded" })
  expect(await store.todo.find({ scope: { kind: "all" }, limit: 10 })).toHaveLength(1)
  await store.todo.removeTenantWide(item.id, change("tch_3", null))
  expect(await store.todo.find({ scope: { kind: "tenant" }, limit: 10 })).toEqual([])
  expect(await database.tokens.byHash("unknown")).toBeNull()
})

it("a start and lists of sessions use only prepared statements", async () => {
  const database = await withoutClient()
  const store = database.store("a")
  const session = root()
  await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session", value: session }] }])
  const { items } = await store.session.listRoots({ archived: false, limit: 10 })
  expect(items).toMatchObject([{ session: { id: session.id }, running: 0, needsYou: 0, children: 0 }])
  expect(await store.session.listed([session.id])).toEqual(items)
  expect(await store.session.private()).toEqual([])
  expect(await store.task.open()).toEqual([])
  expect(await store.task.held()).toEqual([])
  expect(await store.task.withWorktree()).toEqual({ tasks: [], unread: 0 })
  expect(await database.workspaces.list()).toEqual([])
  const project = {
    id: "prj_00000000000100000000000001",
    name: "a",
    directory: "/a",
    worktree: "/a",
    git: false,
    time: { created: 1, opened: 1 },
  }
  await store.project.put(project)
  expect(await store.project.byDirectory("/a")).toEqual(project)
})
