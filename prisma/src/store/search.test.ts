import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { emptyAsk, parseSearch } from "@docket/core/query"
import type { Mutation, Store } from "@docket/core/store"
import { putSessions, root, textPart, userMessage } from "@docket/core/store/contract"
import { expect, it, onTestFinished } from "vitest"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase, openSqliteDatabase } from "../index.ts"

const releases = join(import.meta.dirname, "../../test/released-databases")
const askFor = (text: string) =>
  parseSearch(text, { now: 0, utcOffset: 0, person: "ann", isTyping: false }).ask ?? emptyAsk

async function temporaryFile(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "docket-search-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  return join(directory, "docket.db")
}

async function openedSqlite(file: string): Promise<Store> {
  const database = await openSqliteDatabase({ file, clock: Date.now })
  onTestFinished(database.close)
  return database.store("local")
}

it.each(readdirSync(releases))("a database of %s is indexed step by step, its prompts found", async (release) => {
  const file = await temporaryFile()
  const old = new DatabaseSync(file)
  old.exec(readFileSync(join(releases, release, "sqlite.sql"), "utf8"))
  old.close()
  const { search, session } = await openedSqlite(file)
  const [first] = (await session.listRoots({ archived: false, limit: 1 })).items
  const before = await search.progress()
  expect([before.indexed, before.all > 0]).toEqual([0, true])
  let last = 0
  while (await search.index(2)) {
    const { indexed, all } = await search.progress()
    expect([indexed >= last, all]).toEqual([true, before.all])
    last = indexed
  }
  expect(last).toBe(before.all)
  const { found } = await search.find({
    ask: { ...askFor("kind:title"), trees: [first?.session.id ?? ""] },
    limit: 5,
  })
  expect(found.map(({ id }) => id)).toEqual([first?.session.id])
  expect((await search.find({ ask: askFor("kind:prompt"), limit: 5 })).found.length).toBeGreaterThan(0)
})

it("all rows of one millisecond are found, and removed with their tree", async () => {
  const file = await temporaryFile()
  const store = await openedSqlite(file)
  const session = await putSessions(store, root())
  const message = userMessage(session)
  const parts = Array.from({ length: 300 }, (_, index) => ({
    ...textPart(message, "needle"),
    id: `prt_019a00000000${"z".repeat(4)}${String(index).padStart(10, "0")}` as const,
  }))
  const mutations: Mutation[] = [
    { kind: "message", value: message },
    ...parts.map((value) => ({ kind: "part" as const, value: value as ReturnType<typeof textPart> })),
  ]
  await store.write.commit([{ rootID: session.id, mutations }])
  while (await store.search.index(100));
  const ids = new Set<string>()
  let cursor: string | null = null
  do {
    const page = await store.search.find({ ask: askFor("needle"), limit: 70, cursor: cursor ?? undefined })
    for (const { id } of page.found) ids.add(id)
    cursor = page.next
  } while (cursor !== null)
  expect(ids.size).toBe(300)
  await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session.remove", sessionID: session.id }] }])
  const raw = new DatabaseSync(file, { readOnly: true })
  const count = (table: string) => raw.prepare(`SELECT COUNT(*) AS "count" FROM "${table}"`).get()?.count
  expect(["SearchRow", "SearchText", "SearchCursor"].map(count)).toEqual([0, 0, 0])
  raw.close()
})

it("few long texts are indexed per step, and all in the end", async () => {
  const store = await openedSqlite(await temporaryFile())
  const session = await putSessions(store, root())
  const message = userMessage(session)
  const parts = Array.from({ length: 12 }, (_, index) => textPart(message, `needle${index} ${"word ".repeat(5_000)}`))
  const mutations: Mutation[] = [{ kind: "message", value: message }]
  for (const value of parts) mutations.push({ kind: "part", value })
  await store.write.commit([{ rootID: session.id, mutations }])
  const steps: number[] = []
  for (let indexed = 0; await store.search.index(64); ) {
    const progress = await store.search.progress()
    steps.push(progress.indexed - indexed)
    indexed = progress.indexed
  }
  expect(steps.length).toBeGreaterThanOrEqual(6)
  for (const index of parts.keys())
    expect((await store.search.find({ ask: askFor(`needle${index}`), limit: 5 })).found).toHaveLength(1)
})

it("two processes index one PostgreSQL database without undoing each other's work", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const databases = await Promise.all([1, 2].map(() => openPostgresDatabase({ url: server.url })))
  onTestFinished(async () => void (await Promise.all(databases.map((database) => database.close()))))
  const [one, other] = databases.map((database) => database.store("local"))
  if (one === undefined || other === undefined) throw new Error("two stores are open")
  const session = await putSessions(one, root())
  for (let count = 0; count < 40; count++) {
    const message = userMessage(session)
    const mutations: Mutation[] = [
      { kind: "message", value: message },
      { kind: "part", value: textPart(message, `needle ${count}`) },
    ]
    await one.write.commit([{ rootID: session.id, mutations }])
  }
  const indexAll = async (store: Store) => {
    while (await store.search.index(7));
  }
  await Promise.all([indexAll(one), indexAll(other)])
  expect((await other.search.find({ ask: askFor("needle"), limit: 100 })).found).toHaveLength(40)
  expect(await one.search.progress()).toMatchObject({ indexed: 81, all: 81 })
})
