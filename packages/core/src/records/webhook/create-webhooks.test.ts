import { expect, onTestFinished, test } from "vitest"
import { permissionRequest, task } from "../../contract/rows.ts"
import type { GuardedPost } from "../../ground/fetch/guarded-post.ts"
import { WebhookPayload } from "../../ground/schema/index.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { retryWait, webhookLimits } from "./known-webhooks.ts"
import { webhookHost } from "./test/webhook-host.ts"

const day = 24 * 3_600_000
const input = { name: "chat", url: "https://hooks.example.org/docket", events: ["session.idle" as const] }

async function open(options?: Parameters<typeof webhookHost>[0]) {
  const host = await webhookHost(options)
  onTestFinished(() => host.close())
  return host
}

/** Answers with these statuses in turn; the last one repeats. */
function answers(...statuses: number[]): GuardedPost {
  let asked = 0
  return async () => ({ status: statuses[Math.min(asked++, statuses.length - 1)] ?? 200, body: "as listed" })
}

test("a webhook receives its events since creation, with ids but no secrets", async () => {
  const host = await open()
  const session = await host.newSession({ title: "Open swordfish" })
  await host.endTurn(session)
  const { webhook, secret } = await host.service.create(input)
  expect([secret.startsWith("whsec_"), webhook.status]).toEqual([true, "active"])
  await host.pass(1_000)
  expect(host.posted).toEqual([])
  const turn = await host.endTurn(session)
  await host.write(session, {
    kind: "permission",
    value: permissionRequest(session, { time: { created: host.time.clock(), replied: null } }),
  })
  await host.pass(1_000)
  expect(host.bodies().map((body) => WebhookPayload.parse(body))).toEqual([
    {
      type: "session.idle",
      workspace: "local",
      timestamp: new Date(turn.time.ended ?? 0).toISOString(),
      data: {
        session: { id: session.id, title: "Open [hidden]", path: `/s/${session.id}` },
        turn: { id: turn.id, status: "completed" },
      },
    },
  ])
  const { items } = await host.service.deliveries({ webhookID: webhook.id })
  expect(items).toMatchObject([{ status: "delivered", answer: "thanks", attempts: [{ status: 200, error: null }] }])
  expect(JSON.stringify(await host.service.list())).not.toContain("whsec_")
  expect(host.errors).toEqual([])
})

test("a task is reported as completed or failed only once", async () => {
  const host = await open()
  await host.service.create({ ...input, events: ["task.completed", "task.failed"] })
  const session = await host.newSession()
  const at = host.time.clock()
  const ended = { created: at, started: at, ended: at }
  const done = task(session, 1, { state: "completed", time: ended })
  const failed = task(session, 2, {
    state: "timed_out",
    time: ended,
    error: { type: "limit_reached", message: "secret" },
  })
  for (const value of [done, failed, { ...done, delivered: "turn" as const }]) {
    await host.write(session, { kind: "task", value })
    await host.pass(1_000)
  }
  expect(host.bodies().map(({ type, data }) => [type, data.task.id, data.task.error])).toEqual([
    ["task.completed", done.id, undefined],
    ["task.failed", failed.id, "limit_reached"],
  ])
})

test("failed deliveries are retried at growing intervals under one id", async () => {
  const host = await open({ post: answers(500, 302, 200) })
  const { webhook } = await host.service.create(input)
  await host.endTurn(await host.newSession())
  await host.pass(1_000)
  expect(host.posted).toHaveLength(1)
  expect((await host.service.list())[0]).toMatchObject({
    failing: { since: expect.any(Number) },
    counts: { waiting: 1 },
  })
  await host.pass(3_900)
  expect(host.posted).toHaveLength(1)
  await host.pass(1_100)
  expect(host.posted).toHaveLength(2)
  await host.pass(31_000)
  expect(new Set(host.posted.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
  expect(new Set(host.posted.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(3)
  const { items } = await host.service.deliveries({ webhookID: webhook.id })
  expect(items[0]?.attempts).toMatchObject([
    { status: 500, error: null },
    { status: 302, error: "redirects are not followed" },
    { status: 200, error: null },
  ])
  expect((await host.service.list())[0]).toMatchObject({ failing: null, counts: { waiting: 0, delivered: 1 } })
})

test("retry waits grow from 5 seconds to 8 hours, then delivery stops", async () => {
  const waits = Array.from({ length: 12 }, (_, tries) => retryWait(tries + 1, 0))
  expect([waits[0], waits[9], waits[10]]).toEqual([5_000, 8 * 3_600_000, null])
  const sum = waits.reduce<number>((all, wait) => all + (wait ?? 0), 0)
  expect([sum > day * 0.9, sum < day * 1.05]).toEqual([true, true])
  const host = await open({ post: answers(503) })
  const { webhook } = await host.service.create(input)
  await host.endTurn(await host.newSession())
  for (let hours = 0; hours < 30; hours++) await host.pass(3_600_000)
  expect((await host.service.deliveries({})).items).toMatchObject([{ status: "failed", nextAt: null }])
  // The first attempt and ten more.
  expect(host.posted).toHaveLength(11)
  // The delivery is given up, and its webhook still tries new ones.
  await host.endTurn(await host.newSession())
  await host.pass(1_000)
  expect(host.posted).toHaveLength(12)
  expect((await host.service.list())[0]).toMatchObject({ id: webhook.id, status: "active" })
})

test("a webhook failing for days is disabled until a person reactivates it", async () => {
  let isDown = true
  const host = await open({ post: async () => ({ status: isDown ? 500 : 200, body: "" }) })
  const { webhook } = await host.service.create(input)
  const session = await host.newSession()
  for (let days = 0; days < 6; days++) {
    await host.endTurn(session)
    for (let hours = 0; hours < 24; hours++) await host.pass(3_600_000)
  }
  expect((await host.service.list())[0]).toMatchObject({ status: "disabled", disabled: { why: "failing" } })
  expect(host.errors.map(String)).toEqual([
    expect.stringContaining('The webhook "chat" (hooks.example.org) is disabled'),
  ])
  const tried = host.posted.length
  await host.endTurn(session)
  await host.pass(day)
  expect(host.posted).toHaveLength(tried)
  await expect(host.service.test(webhook.id)).rejects.toMatchObject({ code: "invalid_input" })
  isDown = false
  await host.service.update(webhook.id, { status: "active" })
  await host.endTurn(session)
  await host.pass(1_000)
  expect((await host.service.list())[0]).toMatchObject({ status: "active", failing: null, disabled: null })
  expect(host.posted.length).toBeGreaterThan(tried)
})

test("deliveries of a paused webhook are kept and sent after it resumes", async () => {
  const host = await open({ post: answers(500, 200) })
  const { webhook } = await host.service.create(input)
  await host.endTurn(await host.newSession())
  await host.pass(1_000)
  await host.service.update(webhook.id, { status: "paused" })
  for (let days = 0; days < 9; days++) await host.pass(day)
  expect((await host.service.deliveries({})).items).toMatchObject([{ status: "waiting" }])
  await host.service.update(webhook.id, { status: "active" })
  await host.pass(0)
  expect((await host.service.deliveries({})).items).toMatchObject([{ status: "delivered" }])
  for (let hours = 0; hours < 2; hours++) await host.pass(3_600_000)
  expect((await host.service.deliveries({})).items).toEqual([])
})

test("an answer of 410 disables a webhook at once", async () => {
  const host = await open({ post: answers(410) })
  await host.service.create(input)
  await host.endTurn(await host.newSession())
  await host.pass(1_000)
  const [webhook] = await host.service.list()
  expect(webhook).toMatchObject({ status: "disabled", disabled: { why: "gone" } })
  expect(host.disabled).toEqual([webhook?.id])
  expect((await host.service.deliveries({})).items).toMatchObject([{ status: "failed" }])
})

test("a silent receiver delays no other and gets at most four requests", async () => {
  const host = await open({
    post: async ({ url }, signal) => {
      if (url === input.url) return { status: 200, body: "" }
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason))
      })
    },
  })
  await host.service.create({ ...input, url: "https://slow.example.org/" })
  await host.service.create(input)
  for (let count = 0; count < 50; count++) await host.endTurn(await host.newSession())
  await host.pass(1_000)
  expect(host.posted.filter(({ url }) => url === input.url)).toHaveLength(50)
  expect(host.posted.filter(({ url }) => url !== input.url)).toHaveLength(webhookLimits.atOnce)
})

test("events of one session are delivered in order", async () => {
  const host = await open()
  await host.service.create(input)
  const [session, other] = [await host.newSession(), await host.newSession()]
  const turns: string[] = []
  for (let count = 0; count < 40; count++) {
    await host.endTurn(other)
    turns.push((await host.endTurn(session)).id)
    await host.time.pass(1)
  }
  await host.pass(1_000)
  const told = host.bodies().filter(({ data }) => data.session.id === session.id)
  expect(told.map(({ data }) => data.turn.id)).toEqual(turns)
})

test("ten thousand deliveries that wait are read a few at a time", async () => {
  const store = createInMemoryStore()
  let most = 0
  const due: typeof store.webhook.due = async (query) => {
    const found = await store.webhook.due(query)
    most = Math.max(most, found.length)
    return found
  }
  let [underWay, atOnce] = [0, 0]
  const isOpen = Promise.withResolvers<void>()
  const host = await open({
    store: { ...store, webhook: { ...store.webhook, due } },
    async post() {
      underWay += 1
      atOnce = Math.max(atOnce, underWay)
      await isOpen.promise
      underWay -= 1
      return { status: 200, body: "" }
    },
  })
  await host.service.create(input)
  const [webhook] = await host.service.list()
  await host.service.update(webhook?.id ?? "", { events: ["permission.asked"] })
  const sessions = await Promise.all(Array.from({ length: 100 }, () => host.newSession()))
  for (let round = 0; round < 100; round++) {
    const time = { created: host.time.clock(), replied: null }
    for (const session of sessions) {
      await host.write(session, { kind: "permission", value: permissionRequest(session, { time }) })
    }
    await host.time.pass(60)
  }
  expect([(await host.service.list())[0]?.counts.waiting, host.posted.length]).toEqual([10_000, webhookLimits.atOnce])
  isOpen.resolve()
  for (let rounds = 0; rounds < 5_000 && host.posted.length < 10_000; rounds++) await host.pass(100)
  expect(host.posted).toHaveLength(10_000)
  expect([most, atOnce]).toEqual([webhookLimits.batch, webhookLimits.atOnce])
})

test("events of private sessions are never sent, and waiting ones are withheld", async () => {
  const host = await open({ post: answers(500) })
  await host.service.create(input)
  const by = { person: "ada", workspace: "local" }
  const hidden = await host.newSession({ title: "mine alone", by, visibility: "author" })
  await host.endTurn(hidden)
  await host.pass(1_000)
  expect(host.posted).toEqual([])
  const visible = await host.newSession({ title: "for all", by })
  await host.endTurn(visible)
  await host.pass(1_000)
  expect(host.posted).toHaveLength(1)
  await host.write(visible, { kind: "session.patch", sessionID: visible.id, patch: { visibility: "author" } })
  await host.pass(day)
  expect(host.posted).toHaveLength(1)
  const [delivery] = (await host.service.deliveries({})).items
  expect(delivery).toMatchObject({ status: "withheld", nextAt: null })
  await expect(host.service.redeliver(delivery?.id ?? "")).rejects.toMatchObject({ code: "invalid_input" })
})

test("events of an imported session before its import are not sent", async () => {
  const host = await open()
  await host.service.create(input)
  const at = host.time.clock()
  const imported = { from: "docket", at: at + 1_000, by: { person: "ada", workspace: "local" } } as const
  const session = await host.newSession({ imported })
  await host.endTurn(session)
  await host.pass(5_000)
  expect(host.posted).toEqual([])
  await host.endTurn(session)
  await host.pass(1_000)
  expect(host.posted).toHaveLength(1)
})

test("a test and a repeated delivery are sent under one id", async () => {
  const host = await open({ post: answers(400, 400, 200) })
  const { webhook } = await host.service.create(input)
  const made = await host.service.test(webhook.id)
  await host.pass(100)
  await host.service.redeliver(made.id)
  await host.pass(100)
  await host.service.redeliver(made.id)
  await host.pass(100)
  expect(host.posted.map(({ headers }) => headers["webhook-id"])).toEqual([made.id, made.id, made.id])
  expect(host.bodies()[0]).toMatchObject({ type: "webhook.test", data: { webhook: { id: webhook.id, name: "chat" } } })
  expect(await host.service.delivery(made.id)).toMatchObject({
    status: "delivered",
    attempts: [{}, {}, { status: 200 }],
  })
})

test("the previous secret also signs for a day after a new one", async () => {
  const host = await open()
  const { webhook } = await host.service.create(input)
  const { secret, webhook: rotated } = await host.service.rotate(webhook.id)
  expect([secret.startsWith("whsec_"), rotated.oldSecretUntil]).toEqual([true, host.time.clock() + day])
  const signatures = () => host.posted.at(-1)?.headers["webhook-signature"]?.split(" ").length
  await host.service.test(webhook.id)
  await host.pass(100)
  expect(signatures()).toBe(2)
  await host.pass(day)
  await host.service.test(webhook.id)
  await host.pass(100)
  expect([signatures(), (await host.service.list())[0]?.oldSecretUntil]).toEqual([1, null])
})

test.each([
  ["hooks.example.org", "no whole address"],
  ["ftp://hooks.example.org/", "begins with https://"],
  ["http://hooks.example.org/", "begins with https://"],
  ["https://ann:pass@hooks.example.org/", "password"],
  ["https://10.0.0.1/", "not on the public internet"],
  ["http://127.0.0.1:9000/", "not on the public internet"],
  ["https://[::ffff:169.254.169.254]/", "not on the public internet"],
  ["https://2130706433/", "not on the public internet"],
  ["https://example.org/\r\nX: y", "without spaces, line breaks"],
  ["https://\u24DBocalhost/", "letters beyond ASCII"],
  ["https://example.org/\u202Egpj", "letters beyond ASCII"],
])("the address %s is refused for new and existing webhooks", async (url, words) => {
  const host = await open()
  await expect(host.service.create({ ...input, url })).rejects.toThrow(words)
  const { webhook } = await host.service.create(input)
  await expect(host.service.update(webhook.id, { url })).rejects.toThrow(words)
  expect((await host.service.list()).map((known) => known.url)).toEqual([input.url])
})

test("a workspace has a webhook limit, and removal deletes the deliveries", async () => {
  const host = await open()
  for (let count = 0; count < webhookLimits.webhooks; count++) await host.service.create(input)
  await expect(host.service.create(input)).rejects.toThrow("at most 20")
  const [first] = await host.service.list()
  await host.service.test(first?.id ?? "")
  await host.pass(100)
  await host.service.remove(first?.id ?? "")
  expect([(await host.service.list()).length, (await host.service.deliveries({})).items]).toEqual([19, []])
  await expect(host.service.remove(first?.id ?? "")).rejects.toMatchObject({ code: "webhook_not_found" })
})

test("an unreadable tree delays no other and is reported once readable", async () => {
  const store = createInMemoryStore()
  let broken = ""
  const news: typeof store.webhook.news = (rootID, limit) =>
    rootID === broken ? Promise.reject(new Error("damaged")) : store.webhook.news(rootID, limit)
  const host = await open({ store: { ...store, webhook: { ...store.webhook, news } } })
  await host.service.create(input)
  const [bad, good] = [await host.newSession(), await host.newSession()]
  broken = bad.id
  for (const session of [bad, good]) await host.endTurn(session)
  await host.pass(10_000)
  expect(host.bodies().map(({ data }) => data.session.id)).toEqual([good.id])
  expect(host.errors.map(String)).toEqual(["Error: damaged"])
  broken = ""
  await host.pass(120_000)
  expect(host.bodies().map(({ data }) => data.session.id)).toEqual([good.id, bad.id])
})

test("closing webhooks waits for the startup cleanup", async () => {
  const store = createInMemoryStore()
  await (await open({ store })).service.create(input)
  const done: string[] = []
  const prune: typeof store.webhook.prune = async () => {
    await new Promise(setImmediate)
    done.push("removed")
  }
  const host = await webhookHost({ store: { ...store, webhook: { ...store.webhook, prune } } })
  await host.close().then(() => done.push("closed"))
  expect(done).toEqual(["removed", "closed"])
})
