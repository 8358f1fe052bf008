import { describe, expect, onTestFinished, test } from "vitest"
import { createBus } from "../ground/event/bus.ts"
import { createJournal } from "../ground/event/journal.ts"
import type { GuardedPost } from "../ground/fetch/guarded-post.ts"
import { createIdSource } from "../ground/id/create-id.ts"
import type { Store } from "../ground/store/port/index.ts"
import { createWebhooks } from "../records/webhook/create-webhooks.ts"
import { memorySecrets } from "../records/webhook/test/memory-secrets.ts"
import { localCaller } from "../test/as-local.ts"
import { dyingStore } from "./dying-store.ts"
import type { OpenStores } from "./nodes-contract.ts"
import { putSessions, root, turn } from "./rows.ts"

const input = { name: "chat", url: "https://hooks.example.org/docket", events: ["session.idle" as const] }
const thanks: GuardedPost = async () => ({ status: 200, body: "thanks" })

/** Declares tests of webhooks that several processes make, tell and send. */
export function webhooksOnceContract(name: string, openStores: OpenStores): void {
  const start = async (post: Record<string, GuardedPost> = {}) => {
    const [secrets, dead] = [memorySecrets(), new Set<string>()]
    /** Who sent which delivery. */
    const posted: [runner: string, id: string][] = []
    /** What was read to find events: the webhooks, or the rows of trees. */
    const reads: ("list" | "news")[] = []
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const createID = createIdSource()
    const open = (runner: string, real: Store, places: string[]) => {
      const mortal = dyingStore(real, () => {})
      const { webhook } = mortal.store
      const list = () => {
        reads.push("list")
        return webhook.list()
      }
      const news: typeof webhook.news = (...args) => {
        reads.push("news")
        return webhook.news(...args)
      }
      const store = { ...mortal.store, webhook: { ...webhook, list, news } }
      const bus = createBus(onError)
      const webhooks = createWebhooks({
        ...{ store, bus, createID, secrets, clock: Date.now, random: () => 0, workspaceID: () => "local" },
        others: { runner, places, isAlive: (other) => !dead.has(other) },
        policy: async () => ({ allow: [], http: false }),
        redact: async (_, title) => title,
        async post(sent, signal) {
          posted.push([runner, sent.headers["webhook-id"] ?? ""])
          return (post[runner] ?? thanks)(sent, signal)
        },
        onDisabled: async () => {},
        onError,
      })
      const works = [webhooks.telling, webhooks.sending]
      const end = async () => {
        for (const work of works) await work.end()
      }
      onTestFinished(async () => {
        if (dead.has(runner)) return
        await webhooks.close()
        await end()
      })
      return {
        service: webhooks.as(localCaller),
        journal: createJournal({ store, bus }),
        async begin() {
          for (const { begin } of works) await begin()
        },
        end,
        die() {
          mortal.dieAfter(0)
          dead.add(runner)
        },
      }
    }
    const [forWeb, forFirst, forSecond] = await openStores(3)
    if (!forWeb || !forFirst || !forSecond) throw new Error("there are three stores")
    const web = open("web", forWeb, [])
    const [first, second] = [open("first", forFirst, [""]), open("second", forSecond, [""])]
    const session = await putSessions(forWeb, root())
    /** Ends turns of the session at a process. */
    const endTurns = async ({ journal }: typeof web, count: number) => {
      for (let n = 0; n < count; n++) {
        const at = Date.now()
        const value = turn(session, { status: "completed", time: { created: at, started: at, ended: at } })
        await journal.commit(session.id, [{ kind: "turn", value }])
      }
    }
    const delivered = (count: number) =>
      expect
        .poll(async () => (await web.service.deliveries({ status: "delivered" })).items, { timeout: 20_000 })
        .toHaveLength(count)
    const sentOnce = async (count: number) => {
      await delivered(count)
      const ids = posted.map(([, id]) => id)
      expect([ids.length, new Set(ids).size]).toEqual([count, count])
      expect(errors).toEqual([])
    }
    return { web, first, second, posted, reads, errors, endTurns, delivered, sentOnce }
  }

  describe(`webhooks once for all processes: ${name}`, () => {
    test("each event is sent once, though two send", async () => {
      const { web, first, second, endTurns, sentOnce } = await start()
      await Promise.all([first.begin(), second.begin()])
      await web.service.create(input)
      for (const process of [first, second, web, first]) await endTurns(process, 2)
      await sentOnce(8)
    })

    test("without webhooks, no rows of trees are read", async () => {
      const { web, first, reads, endTurns, sentOnce } = await start()
      await first.begin()
      reads.length = 0
      await endTurns(first, 3)
      await expect.poll(() => reads).toContain("list")
      expect(reads).not.toContain("news")
      await web.service.create(input)
      await endTurns(first, 1)
      await sentOnce(1)
    })

    test("tests and repeats of the web node are sent", async () => {
      const { web, first, posted, delivered } = await start()
      await first.begin()
      const { webhook } = await web.service.create(input)
      const { id } = await web.service.test(webhook.id)
      await delivered(1)
      await web.service.redeliver(id)
      await delivered(1)
      await expect
        .poll(() => posted)
        .toEqual([
          ["first", id],
          ["first", id],
        ])
    })

    test("a webhook that the web node paused gets nothing", async () => {
      const { web, first, second, endTurns, posted, errors } = await start()
      const { webhook } = await web.service.create(input)
      const { webhook: other } = await web.service.create({ ...input, name: "log" })
      await Promise.all([first.begin(), second.begin()])
      await web.service.update(webhook.id, { status: "paused" })
      await endTurns(first, 1)
      await expect.poll(() => posted, { timeout: 20_000 }).toHaveLength(1)
      const { items } = await web.service.deliveries({})
      expect(items.map(({ webhookID }) => webhookID)).toEqual([other.id])
      expect(errors).toEqual([])
    })

    test("while one sends, the other waits; when it dies, that is counted", async () => {
      const asked = Promise.withResolvers<void>()
      const hangs: GuardedPost = (_, signal) => {
        asked.resolve()
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      }
      const { web, first, second, posted, delivered, errors } = await start({ first: hangs })
      await first.begin()
      const { webhook } = await web.service.create(input)
      const held = await web.service.test(webhook.id)
      await asked.promise
      await second.begin()
      const next = await web.service.test(webhook.id)
      await expect.poll(() => posted.some(([, id]) => id === next.id), { timeout: 20_000 }).toBe(true)
      expect(posted.filter(([, id]) => id === held.id)).toEqual([["first", held.id]])
      first.die()
      await delivered(2)
      expect((await web.service.delivery(held.id)).attempts).toMatchObject([
        { status: null, error: expect.stringContaining("ended") },
        { status: 200, error: null },
      ])
      expect(errors).toEqual([])
    })

    test("what a process stops sending is not counted", async () => {
      const asked = Promise.withResolvers<void>()
      const hangs: GuardedPost = (_, signal) => {
        asked.resolve()
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      }
      const { web, first, second, delivered } = await start({ first: hangs })
      await first.begin()
      const { webhook } = await web.service.create(input)
      const { id } = await web.service.test(webhook.id)
      await asked.promise
      await first.end()
      await second.begin()
      await delivered(1)
      expect((await web.service.delivery(id)).attempts).toMatchObject([{ status: 200 }])
    })
  })
}
