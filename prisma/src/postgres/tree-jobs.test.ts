import type { Session } from "@docket/core/schema"
import type { Mutation, Store } from "@docket/core/store"
import { childOf, project, putSessions, root, turn } from "@docket/core/store/contract"
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest"
import { startPostgresProxy } from "../../test/postgres-proxy.ts"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase, type TreeJobs } from "../index.ts"

const server = await startPostgres({ own: true })
const reason = typeof server === "string" ? server : null
if (reason !== null) console.warn(`PostgreSQL tests are skipped: ${reason}`)
afterAll(async () => {
  if (typeof server !== "string") await server.stop()
})

function ours() {
  if (typeof server === "string") throw new Error(server)
  return server
}

/** Stores jobs in a table, with the transaction that each was stored in. */
const jobs: TreeJobs = {
  async insert(execute, trees) {
    const sql = `INSERT INTO "Job" SELECT "tenantID", "rootID", "place", pg_current_xact_id()::text
      FROM json_to_recordset($1) AS t("tenantID" text, "rootID" text, "place" text)`
    await execute(sql, [JSON.stringify(trees)])
  },
}

beforeEach(async () => {
  if (typeof server === "string") return
  await server.execute(`DROP TABLE IF EXISTS "Job"`)
  await server.execute(`CREATE TABLE "Job" ("tenantID" TEXT, "rootID" TEXT, "place" TEXT, "transaction" TEXT)`)
})

async function open(url: string, given: TreeJobs = jobs): Promise<Store> {
  const database = await openPostgresDatabase({ url, jobs: given, waits: { ownsDatabase: () => true } })
  onTestFinished(database.close)
  return database.store("local")
}

const stored = async () => ours().execute(`SELECT "tenantID", "rootID", "place" FROM "Job" ORDER BY "rootID"`)
const queued = (session: Session): Mutation => ({ kind: "turn", value: turn(session), job: true })

test.skipIf(reason !== null)("a commit stores jobs in its own transaction, one for each tree", async () => {
  const store = await open(ours().url)
  const there = { ...project, place: "storage:team" }
  await store.project.put(there)
  const first = await putSessions(store, root({ projectID: there.id }))
  const second = root()
  const child = childOf(first)
  await store.write.commit([
    { rootID: first.id, mutations: [queued(first), { kind: "session", value: child }, queued(child)] },
    { rootID: second.id, mutations: [{ kind: "session", value: second }, queued(second)] },
  ])
  const expected = [
    { tenantID: "local", rootID: first.id, place: "storage:team" },
    { tenantID: "local", rootID: second.id, place: "" },
  ]
  expect(await stored()).toEqual(expected.sort((a, b) => (a.rootID < b.rootID ? -1 : 1)))
  const together = `SELECT DISTINCT j."transaction" = t.xmin::text AS "same" FROM "Job" j JOIN "Turn" t USING ("rootID")`
  expect(await ours().execute(together)).toEqual([{ same: true }])
})

test.skipIf(reason !== null)("a commit without turns that ask for a job stores none", async () => {
  const store = await open(ours().url)
  const session = await putSessions(store, root())
  const asked = queued(session)
  await store.write.commit([{ rootID: session.id, mutations: [{ kind: "turn", value: turn(session) }] }])
  const refused = [{ rootID: session.id, fence: { turnID: session.id, epoch: 1 }, mutations: [asked] }]
  await expect(store.write.commit(refused)).rejects.toThrow()
  expect(await stored()).toEqual([])
})

test.skipIf(reason !== null)("turns are not stored when their job cannot be", async () => {
  const failing: TreeJobs = {
    async insert(execute, trees) {
      await jobs.insert(execute, trees)
      await execute("SELECT 1 / 0")
    },
  }
  const store = await open(ours().url, failing)
  const session = await putSessions(store, root())
  await expect(store.write.commit([{ rootID: session.id, mutations: [queued(session)] }])).rejects.toThrow("division")
  expect([await stored(), await store.turn.open({ rootID: session.id })]).toEqual([[], []])
  expect(await store.feed.head(session.id)).toBe(1)
})

test.skipIf(reason !== null).each(["unsent", "unanswered"] as const)(
  "the job of a commit that is %s is stored once",
  async (fault) => {
    const proxy = await startPostgresProxy(ours().url)
    onTestFinished(proxy.stop)
    const store = await open(proxy.url)
    const session = await putSessions(store, root())
    const broken = proxy.breakNext(fault)
    await store.write.commit([{ rootID: session.id, mutations: [queued(session)] }])
    await broken
    expect(await stored()).toEqual([{ tenantID: "local", rootID: session.id, place: "" }])
    expect(await store.turn.open({ rootID: session.id })).toHaveLength(1)
  },
)

test.skipIf(reason !== null)("a database without jobs takes turns that ask for one", async () => {
  const database = await openPostgresDatabase({ url: ours().url })
  onTestFinished(database.close)
  const store = database.store("local")
  const session = await putSessions(store, root())
  await store.write.commit([{ rootID: session.id, mutations: [queued(session)] }])
  expect([await stored(), await store.turn.open({ rootID: session.id })]).toMatchObject([[], [{}]])
})
