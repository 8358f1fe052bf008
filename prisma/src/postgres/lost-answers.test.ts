import type { Store } from "@docket/core/store"
import { putSessions, root } from "@docket/core/store/contract"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { startPostgresProxy } from "../../test/postgres-proxy.ts"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase } from "../index.ts"

const server = await startPostgres({ own: true })
const reason = typeof server === "string" ? server : null
if (reason !== null) console.warn(`PostgreSQL tests are skipped: ${reason}`)
afterAll(async () => {
  if (typeof server !== "string") await server.stop()
})

const used = { tokens: { input: 1, output: 2, reasoning: 0, cache: { read: 0, write: 0 } }, cost: 3 }

function ours() {
  if (typeof server === "string") throw new Error(server)
  return server
}

async function open(url: string): Promise<Store> {
  const database = await openPostgresDatabase({ url, waits: { ownsDatabase: () => true } })
  onTestFinished(database.close)
  return database.store("local")
}

async function proxied() {
  const proxy = await startPostgresProxy(ours().url)
  onTestFinished(proxy.stop)
  return { proxy, store: await open(proxy.url) }
}

const add = (store: Store, sessionID: string) =>
  store.write.commit([{ rootID: sessionID, mutations: [{ kind: "session.used", sessionID, used }] }])

test.skipIf(reason !== null).each(["unsent", "unanswered"] as const)(
  "a commit that is %s is stored once and returns its result",
  async (fault) => {
    const { proxy, store } = await proxied()
    const { id } = await putSessions(store, root())
    const before = (await store.feed.head(id)) ?? 0
    for (let round = 1; round <= 3; round++) {
      const broken = proxy.breakNext(fault)
      const [change] = await add(store, id)
      await broken
      expect(change?.seq).toBe(before + round)
      expect(await store.session.get(id)).toMatchObject({ cost: 3 * round })
    }
    expect(await store.feed.head(id)).toBe(before + 3)
    const first = await store.write.reserveTodoNumbers(5)
    const broken = proxy.breakNext(fault)
    expect(await store.write.reserveTodoNumbers(5)).toBe(first + 5)
    await broken
    expect(await store.write.reserveTodoNumbers(5)).toBe(first + 10)
  },
)

test.skipIf(reason !== null)("a commit that arrives after its connection broke is stored once", async () => {
  const { proxy, store } = await proxied()
  const { id } = await putSessions(store, root())
  const broken = proxy.breakNext("late")
  const adding = add(store, id)
  const sendLate = await broken
  // The check of its mark waits for the transaction that is still open on the server.
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%_docket_commits%'`
  await expect.poll(async () => (await ours().execute(waiting)).length).toBe(1)
  sendLate()
  await adding
  expect(await store.session.get(id)).toMatchObject({ cost: 3 })
})

test.skipIf(reason !== null).each(["fast", "immediate"] as const)(
  "commits during a restart (%s) are stored once and in order",
  async (mode) => {
    const store = await open(ours().url)
    const trees = await Promise.all(Array.from({ length: 4 }, () => putSessions(store, root())))
    const seqs = new Map(trees.map(({ id }) => [id, [] as number[]]))
    const restarted = Promise.withResolvers<void>()
    let commits = 0
    let isBack = false
    const write = async (id: string) => {
      for (let after = 0; after < 5; after += isBack ? 1 : 0) {
        const [change] = await add(store, id)
        seqs.get(id)?.push(change?.seq ?? 0)
        commits += 1
        if (commits === 40) void ours().restart?.(mode).then(restarted.resolve, restarted.reject)
        await store.session.tree(id)
      }
    }
    const writing = trees.map(({ id }) => write(id))
    await restarted.promise
    isBack = true
    await Promise.all(writing)
    for (const { id } of trees) {
      const own = seqs.get(id) ?? []
      expect(own).toEqual(own.map((_, n) => (own[0] ?? 0) + n))
      expect(await store.session.get(id)).toMatchObject({ cost: 3 * own.length })
      expect(await store.feed.head(id)).toBe(own.at(-1))
    }
  },
)
