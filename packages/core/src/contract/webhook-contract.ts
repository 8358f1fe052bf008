import { expect, it } from "vitest"
import type { Mutation, Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import {
  childOf,
  comment,
  newId,
  permissionRequest,
  putSessions,
  root,
  task,
  thread,
  turn,
  verdict,
  webhook,
  webhookDelivery,
} from "./rows.ts"

/** More than any tree in these tests has. */
const all = 1_000

async function write(store: Store, rootID: string, ...mutations: Mutation[]): Promise<void> {
  await store.write.commit([{ rootID, mutations }])
}

async function newsOf(store: Store, rootID: string, limit = all) {
  const news = await store.webhook.news(rootID, limit)
  if (news === null) throw new Error("nothing is new")
  return news
}

export function webhookContract(open: OpenStore): void {
  it("keeps, changes and removes webhooks with their deliveries, oldest first", async () => {
    const store = await open()
    const [older, newer] = [webhook(), webhook({ time: { created: 2_000, updated: 2_000 } })]
    for (const value of [newer, older]) await store.webhook.put(value)
    const paused = { ...newer, status: "paused" as const }
    await store.webhook.put(paused)
    expect(await store.webhook.list()).toEqual([older, paused])
    expect([await store.webhook.get(newer.id), await store.webhook.get(newId("webhook"))]).toEqual([paused, null])
    const [told, other] = [webhookDelivery(older), webhookDelivery(newer)]
    expect([await store.webhook.add(told), await store.webhook.add(other)]).toEqual([true, true])
    await store.webhook.remove(older.id)
    expect(await store.webhook.list()).toEqual([paused])
    expect([await store.webhook.delivery(told.id), await store.webhook.delivery(other.id)]).toEqual([null, other])
    expect([
      await store.webhook.add(webhookDelivery(older)),
      await store.webhook.changeDelivery(told.id, () => told),
    ]).toEqual([false, null])
  })

  it("finds due deliveries in time order, and the next due time", async () => {
    const store = await open()
    const [mine, other] = [webhook(), webhook()]
    for (const value of [mine, other]) await store.webhook.put(value)
    const [second, first, third, later, done] = [
      webhookDelivery(mine, { nextAt: 2_000 }),
      webhookDelivery(mine, { nextAt: 1_000 }),
      webhookDelivery(mine, { nextAt: 2_000 }),
      webhookDelivery(mine, { nextAt: 2_001 }),
      webhookDelivery(mine, { nextAt: null, status: "delivered" }),
    ]
    for (const value of [later, third, second, first, done, webhookDelivery(other)]) await store.webhook.add(value)
    const due = { webhookID: mine.id, now: 2_000, limit: all }
    expect(await store.webhook.due(due)).toEqual([first, ...[second, third].sort((a, b) => (a.id < b.id ? -1 : 1))])
    expect(await store.webhook.due({ ...due, limit: 1 })).toEqual([first])
    expect(await store.webhook.withDue(999)).toEqual([])
    expect((await store.webhook.withDue(2_000)).sort()).toEqual([mine.id, other.id].sort())
    expect([await store.webhook.nextDue(mine.id, 999), await store.webhook.nextDue(mine.id, 2_000)]).toEqual([
      1_000, 2_001,
    ])
    const ended = { ...first, status: "failed" as const, nextAt: null, time: { created: 1_000, ended: 1_500 } }
    expect(await store.webhook.changeDelivery(first.id, () => ended)).toEqual(ended)
    expect([await store.webhook.delivery(first.id), await store.webhook.nextDue(mine.id, 0)]).toEqual([ended, 2_000])
    expect(await store.webhook.nextDue(newId("webhook"), 0)).toBeNull()
    expect(await store.webhook.counts()).toEqual({
      [mine.id]: { waiting: 3, delivered: 1, failed: 1, withheld: 0 },
      [other.id]: { waiting: 1, delivered: 0, failed: 0, withheld: 0 },
    })
  })

  it("lists deliveries newest first, in pages, and removes old finished ones", async () => {
    const store = await open()
    const [mine, other] = [webhook(), webhook()]
    for (const value of [mine, other]) await store.webhook.put(value)
    const made = [1_000, 2_000, 3_000].map((created) => webhookDelivery(mine, { time: { created, ended: null } }))
    const failed = webhookDelivery(other, { status: "failed", time: { created: 4_000, ended: 4_000 } })
    for (const value of [...made, failed]) await store.webhook.add(value)
    const newest = [failed, ...made.toReversed()]
    expect(await store.webhook.deliveries({ limit: all })).toEqual({ items: newest, cursor: null })
    const page = await store.webhook.deliveries({ webhookID: mine.id, limit: 2 })
    expect(page.items).toEqual(newest.slice(1, 3))
    const rest = { webhookID: mine.id, limit: 2, cursor: page.cursor ?? "" }
    expect(await store.webhook.deliveries(rest)).toEqual({ items: [made[0]], cursor: null })
    expect((await store.webhook.deliveries({ status: "failed", limit: all })).items).toEqual([failed])
    const [first, second, third] = made
    for (const value of [first, third])
      if (value) await store.webhook.changeDelivery(value.id, () => ({ ...value, status: "delivered", nextAt: null }))
    await store.webhook.prune(3_000)
    const left = (await store.webhook.deliveries({ limit: all })).items
    expect(left.map(({ id }) => id)).toEqual([failed.id, third?.id, second?.id])
  })

  it("returns each change of a tree once, with current rows", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    await putSessions(store, session, child)
    const work = task(child, 1)
    const asked = permissionRequest(session)
    const talk = thread(session)
    const [said, judged] = [comment(talk), verdict(work)]
    await write(store, session.id, { kind: "task", value: work }, { kind: "permission", value: asked })
    await write(store, session.id, { kind: "thread", value: talk }, { kind: "comment", value: said })
    const once = { ...asked, status: "once" as const }
    await write(store, session.id, { kind: "verdict", value: judged }, { kind: "permission", value: once })
    expect(await store.webhook.behind(all)).toEqual([session.id])
    const news = await newsOf(store, session.id)
    expect(news).toMatchObject({ rootID: session.id, from: 0, at: 0, root: session, tasks: [work], requests: [once] })
    expect(news).toMatchObject({ threads: [talk], comments: [said], verdicts: [judged], turns: [] })
    expect(await store.webhook.tell(news, { deliveries: [], at: 5_000, withhold: false })).toBe(true)
    expect([await store.webhook.news(session.id, all), await store.webhook.behind(all)]).toEqual([null, []])
    await write(store, session.id, { kind: "task", value: { ...work, state: "completed" } })
    const next = await newsOf(store, session.id)
    expect(next).toMatchObject({ from: news.to, at: 5_000, tasks: [{ id: work.id, state: "completed" }], requests: [] })
    expect(await store.webhook.tell(news, { deliveries: [], at: 6_000, withhold: false })).toBe(false)
    expect(await store.webhook.news(newId("session"), all)).toBeNull()
  })

  it("returns at most the requested rows of a kind, the rest later", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const requests = Array.from({ length: 5 }, () => permissionRequest(session))
    for (const value of requests) await write(store, session.id, { kind: "permission", value })
    const found: string[] = []
    for (let news = await store.webhook.news(session.id, 2); news !== null; ) {
      expect(news.requests.length).toBeLessThanOrEqual(2)
      found.push(...news.requests.map(({ id }) => id))
      await store.webhook.tell(news, { deliveries: [], at: 1, withhold: false })
      news = await store.webhook.news(session.id, 2)
    }
    expect(found).toEqual(requests.map(({ id }) => id))
  })

  it("reports whether a turn was its session's last when it ended", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const ended = (created: number, end: number | null) =>
      turn(session, {
        status: end === null ? "queued" : "completed",
        time: { created, started: end === null ? null : created, ended: end },
      })
    // The second was queued when the first ended; the third started after the second's end and is still open.
    const turns = [ended(1_000, 2_000), ended(1_500, 3_000), ended(4_000, null)]
    for (const value of turns) await write(store, session.id, { kind: "turn", value })
    const news = await newsOf(store, session.id)
    expect(news.turns.map(({ turn: { id }, isLast }) => [id, isLast])).toEqual(
      turns.map(({ id }, index) => [id, index === 1]),
    )
  })

  it("stores deliveries together with the cursor, one per fact and webhook", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [mine, other, gone] = [webhook(), webhook(), webhook()]
    for (const value of [mine, other]) await store.webhook.put(value)
    const told = (of: typeof mine) => webhookDelivery(of, { fact: "one", rootID: session.id })
    const [first, second] = [told(mine), told(other)]
    const telling = { deliveries: [first, second, told(gone)], at: 1_000, withhold: false }
    expect(await store.webhook.tell(await newsOf(store, session.id), telling)).toBe(true)
    await write(store, session.id, { kind: "session.patch", sessionID: session.id, patch: { title: "Again" } })
    const sameFact = { deliveries: [told(mine)], at: 2_000, withhold: false }
    expect(await store.webhook.tell(await newsOf(store, session.id), sameFact)).toBe(true)
    expect((await store.webhook.deliveries({ limit: all })).items).toEqual([second, first])
  })

  it("withholds the waiting deliveries of a tree, and nothing else", async () => {
    const store = await open()
    const [session, elsewhere] = [await putSessions(store, root()), await putSessions(store, root())]
    const mine = webhook()
    await store.webhook.put(mine)
    const waits = webhookDelivery(mine, { rootID: session.id })
    const done = webhookDelivery(mine, { rootID: session.id, status: "delivered", nextAt: null })
    const other = webhookDelivery(mine, { rootID: elsewhere.id })
    for (const value of [waits, done, other]) await store.webhook.add(value)
    await store.webhook.tell(await newsOf(store, session.id), { deliveries: [], at: 7_000, withhold: true })
    const withheld = { ...waits, status: "withheld", nextAt: null, time: { ...waits.time, ended: 7_000 } }
    expect((await store.webhook.deliveries({ limit: all })).items).toEqual([other, done, withheld])
    expect(await store.webhook.due({ webhookID: mine.id, now: 9_000, limit: all })).toEqual([other])
  })

  it("`begin` skips everything that was stored before", async () => {
    const store = await open()
    const [session, other] = [await putSessions(store, root()), await putSessions(store, root())]
    expect(await store.webhook.behind(all)).toEqual([session.id, other.id].sort())
    expect(await store.webhook.behind(1)).toEqual([[session.id, other.id].sort()[0]])
    await store.webhook.begin(5_000)
    expect(await store.webhook.behind(all)).toEqual([])
    const asked = permissionRequest(session)
    await write(store, session.id, { kind: "permission", value: asked })
    expect(await store.webhook.behind(all)).toEqual([session.id])
    expect(await store.webhook.behind(all, { after: session.id })).toEqual([])
    expect(await newsOf(store, session.id)).toMatchObject({ at: 5_000, requests: [asked] })
    await write(store, session.id, { kind: "session.remove", sessionID: session.id })
    expect([await store.webhook.behind(all), await store.webhook.news(session.id, all)]).toEqual([[], null])
  })
}
