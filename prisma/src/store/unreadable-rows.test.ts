import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Todo } from "@docket/core/schema"
import type { Mutation, TenantDatabase } from "@docket/core/store"
import { childOf, root, task, textPart, todo, turn, userMessage } from "@docket/core/store/contract"
import { Client } from "pg"
import { expect, it } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase, openSqliteDatabase } from "../index.ts"
import type { UnreadableRow } from "../row/unreadable-rows.ts"
import { openSqlite } from "../sqlite/open-sqlite.ts"

/** A database whose rows a test makes unreadable. */
interface Bench {
  database: TenantDatabase
  /** The rows that it reported as unreadable. */
  told: UnreadableRow[]
  /** Runs SQL without the store. */
  execute(sql: string): Promise<void>
  close(): Promise<void>
}

async function onSqlite(): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), "docket-unreadable-"))
  const file = join(directory, "docket.db")
  const told: UnreadableRow[] = []
  const database = await openSqliteDatabase({ file, clock: Date.now, onUnreadable: (row) => told.push(row) })
  const other = openSqlite(file)
  return {
    database,
    told,
    execute: async (sql) => void other.exec(sql),
    async close() {
      other.close()
      await database.close()
      await rm(directory, { recursive: true })
    },
  }
}

async function onPostgres(): Promise<Bench | string> {
  const server = await startPostgres()
  if (typeof server === "string") return server
  const told: UnreadableRow[] = []
  const database = await openPostgresDatabase({ url: server.url, onUnreadable: (row) => told.push(row) })
  const other = new Client({ connectionString: server.url })
  await other.connect()
  return {
    database,
    told,
    execute: async (sql) => void (await other.query(sql)),
    async close() {
      await other.end()
      await database.close()
      await server.stop()
    },
  }
}

/** A tree whose second child, message, part, todo, task and turn are unreadable, each beside a readable one. */
async function fill({ database, execute }: Bench) {
  const store = database.store("local")
  const tree = root({ title: "Tree" })
  const [child, lost] = [childOf(tree), childOf(tree)]
  const [message, lostMessage] = [userMessage(tree), userMessage(tree)]
  const [part, lostPart] = [textPart(message), textPart(message)]
  const [open, lostTodo] = [todo(tree, 0), todo(tree, 1)]
  const [work, lostWork] = [task(child, 1), task(child, 2)]
  const [waiting, lostTurn] = [turn(tree), turn(tree)]
  await store.write.commit([
    {
      rootID: tree.id,
      mutations: [
        ...[tree, child, lost].map((value) => ({ kind: "session", value }) as const),
        ...[message, lostMessage].map((value) => ({ kind: "message", value }) as const),
        ...[part, lostPart, textPart(lostMessage)].map((value) => ({ kind: "part", value }) as const),
        { kind: "todos", sessionID: tree.id, value: [open, lostTodo] },
        ...[work, lostWork].map((value) => ({ kind: "task", value }) as const),
        ...[waiting, lostTurn].map((value) => ({ kind: "turn", value }) as const),
      ],
    },
  ])
  const spoil = (table: string, id: string, data: string) =>
    execute(`UPDATE "${table}" SET "data" = '${data}' WHERE "id" = '${id}'`)
  await spoil("Session", lost.id, `{"id":"${lost.id}","title":7}`)
  await spoil("Message", lostMessage.id, "{ this is no JSON")
  await spoil("Part", lostPart.id, `{"id":"${lostPart.id}","type":"hologram"}`)
  await spoil("Todo", lostTodo.id, "null")
  await spoil("Task", lostWork.id, `{"$shape":99,"id":"${lostWork.id}"}`)
  await spoil("Turn", lostTurn.id, "[]")
  // The cached lists are stale after this, as after a write of another process.
  await execute(`UPDATE "Session" SET "todoSeq" = "todoSeq" + 1 WHERE "id" = '${tree.id}'`)
  return { store, tree, child, lost, message, part, open, work, waiting, lostTurn }
}

/** Readers of the tree get everything except the unreadable rows, each of which is reported once. */
async function expectOtherRows(bench: Bench): Promise<void> {
  const { store, tree, child, lost, message, part, open, work, waiting, lostTurn } = await fill(bench)
  for (let reads = 0; reads < 2; reads++) {
    expect(await store.session.tree(tree.id)).toEqual([tree, child])
    expect(await store.session.get(lost.id)).toBeNull()
    const page = await store.transcript.page({ sessionID: tree.id, limit: 10 })
    expect(page.items).toEqual([{ info: message, parts: [part] }])
    expect(await store.transcript.sinceCompaction(tree.id)).toEqual(page.items)
    expect(await store.todo.list(tree.id)).toEqual([open])
    expect((await store.task.tree(tree.id)).map(({ id }) => id)).toEqual([work.id])
    expect(await store.turn.open()).toEqual([waiting])
    expect(await store.write.claimTurn(lostTurn.id, 1)).toBeNull()
  }
  const { told } = bench
  const tables = told.map(({ table }) => table).sort()
  expect(tables).toEqual(["Message", "Part", "Session", "Task", "Todo", "Turn"])
  expect(told.find(({ table }) => table === "Task")?.reason).toContain("newer version of Docket (shape 99)")
  expect(told.find(({ table }) => table === "Session")).toMatchObject({
    id: lost.id,
    reason: expect.stringMatching(/.+: /),
  })

  // The feed passes unreadable rows, one change at a time.
  let cursor = 0
  const kinds: string[] = []
  for (;;) {
    const [change] = await store.feed.changesSince(tree.id, cursor, 1)
    if (change === undefined) break
    cursor = change.seq
    kinds.push(change.kind)
  }
  expect(kinds.filter((kind) => kind === "unreadable")).toHaveLength(5)
  expect(cursor).toBeGreaterThanOrEqual((await store.feed.head(tree.id)) ?? 0)
}

/** Pages of the session list are complete, although one root in the middle is unreadable. */
async function expectWholeList({ database, execute }: Bench): Promise<void> {
  const store = database.store("list")
  const roots = [1, 2, 3, 4].map((updated) => root({ time: { created: 1, updated, archived: null } }))
  for (const value of roots) await store.write.commit([{ rootID: value.id, mutations: [{ kind: "session", value }] }])
  await execute(`UPDATE "Session" SET "data" = '{}' WHERE "id" = '${roots[2]?.id}'`)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.session.listRoots({ archived: false, limit: 1, cursor })
    seen.push(...page.items.map(({ session }) => session.id))
    cursor = page.cursor ?? undefined
  } while (cursor !== undefined)
  expect(seen).toEqual([roots[3]?.id, roots[1]?.id, roots[0]?.id])
}

/** An unreadable todo is kept when an agent replaces the list without it. */
async function expectKept({ database, execute, told }: Bench): Promise<void> {
  const store = database.store("kept")
  const tree = root({ title: "Tree" })
  const write = (...value: Todo[]) => {
    const todos = { kind: "todos", sessionID: tree.id, value } as const
    return store.write.commit([{ rootID: tree.id, mutations: [{ kind: "session", value: tree }, todos] }])
  }
  const [lost, first, second] = [todo(tree, 0), todo(tree, 1), todo(tree, 2)]
  await write(lost)
  await execute(`UPDATE "Todo" SET "data" = '{"id":"${lost.id}"}' WHERE "id" = '${lost.id}'`)
  // Another process wrote, so the list is not in the cache.
  await execute(`UPDATE "Session" SET "todoSeq" = "todoSeq" + 1 WHERE "id" = '${tree.id}'`)
  await write(first)
  await write(second)
  expect(await store.todo.list(tree.id)).toEqual([second])
  expect(told).toMatchObject([{ table: "Todo", id: lost.id }])
  await execute(`UPDATE "Todo" SET "data" = '${JSON.stringify(lost)}' WHERE "id" = '${lost.id}'`)
  await execute(`UPDATE "Session" SET "todoSeq" = "todoSeq" + 1 WHERE "id" = '${tree.id}'`)
  expect(await store.todo.list(tree.id)).toEqual([lost, second])
}

/**
 * Worktrees without a task are removed only if the caller knows that all tasks are readable: unreadable ones are
 * counted.
 */
async function expectCounted({ database, execute }: Bench): Promise<void> {
  const store = database.store("worktrees")
  const tree = root({ title: "Tree" })
  const child = childOf(tree)
  const worktree = { directory: "/w", branch: "docket/w", base: "0", state: "ready" as const, conflicts: [] }
  const [known, lost] = [task(child, 1, { worktree }), task(child, 2, { worktree })]
  const mutations: Mutation[] = [
    ...[tree, child].map((value) => ({ kind: "session", value }) as const),
    ...[known, lost].map((value) => ({ kind: "task", value }) as const),
  ]
  await store.write.commit([{ rootID: tree.id, mutations }])
  await execute(`UPDATE "Task" SET "data" = '{"$shape":99}' WHERE "id" = '${lost.id}'`)
  expect(await store.task.withWorktree()).toEqual({ tasks: [known], unread: 1 })
}

for (const [name, check] of [
  ["are left out and reported once, others are served", expectOtherRows],
  ["do not end a list of sessions", expectWholeList],
  ["are counted where a task may have a worktree", expectCounted],
  ["stay stored when the list around them is replaced", expectKept],
] as const) {
  it(`unreadable rows ${name}, on SQLite`, async () => {
    const bench = await onSqlite()
    await check(bench)
    await bench.close()
  })

  it(`unreadable rows ${name}, on PostgreSQL`, async ({ skip }) => {
    const bench = await onPostgres()
    if (typeof bench === "string") return skip(bench)
    await check(bench)
    await bench.close()
  })
}
