import { expect, test, vi } from "vitest"
import { createBus } from "../ground/event/bus.ts"
import { createJournal } from "../ground/event/journal.ts"
import type { PostInput } from "../ground/fetch/guarded-post.ts"
import { createIdSource } from "../ground/id/create-id.ts"
import type { Session } from "../ground/schema/index.ts"
import type { Mutation, Store } from "../ground/store/port/index.ts"
import { createWebhooks } from "../records/webhook/create-webhooks.ts"
import { memorySecrets } from "../records/webhook/test/memory-secrets.ts"
import { localCaller } from "../test/as-local.ts"
import type { MakeCrashable } from "./crash-contract.ts"
import { dyingStore } from "./dying-store.ts"
import { permissionRequest, putSessions, root, task, turn, verdict } from "./rows.ts"

const createID = createIdSource()

/** The webhook ids under which a receiver got each event, by body. */
type Received = Map<string, Set<string>>

async function start(store: Store, secrets: ReturnType<typeof memorySecrets>, received: Received) {
  const bus = createBus((error) => {
    throw error
  })
  const webhooks = createWebhooks({
    store,
    bus,
    createID,
    secrets,
    clock: Date.now,
    random: () => 0,
    workspaceID: () => "local",
    policy: async () => ({ allow: [], http: false }),
    redact: async (_, title) => title,
    async post({ body, headers }: PostInput) {
      const ids = received.get(body) ?? new Set()
      received.set(body, ids.add(headers["webhook-id"] ?? ""))
      return { status: 200, body: "" }
    },
    // Ignored, because they only report that the store has crashed.
    onDisabled: async () => {},
    onError: () => undefined,
  })
  await webhooks.telling.begin()
  await webhooks.sending.begin()
  const close = async () => {
    await webhooks.close()
    await webhooks.sending.end()
    await webhooks.telling.end()
  }
  return { webhooks, close, journal: createJournal({ store, bus }) }
}

/** The events of the test, one commit after another. */
function story(session: Session): Mutation[][] {
  const now = Date.now()
  const at = { created: now, started: now, ended: now }
  const work = task(session, 1, { state: "completed", time: at })
  const ended = turn(session, { status: "completed", time: at })
  const asked = permissionRequest(session, { time: { created: now, replied: null } })
  return [
    [{ kind: "turn", value: ended }],
    [{ kind: "permission", value: asked }],
    // The request is answered by now, but its event must still be sent.
    [{ kind: "permission", value: { ...asked, status: "once", time: { created: now, replied: now } } }],
    [{ kind: "task", value: work }],
    [{ kind: "verdict", value: verdict(work, { time: { created: now, withdrawn: null } }) }],
  ]
}

/** The event of each commit of the story. */
const storyEvents = ["session.idle", "permission.asked", "permission.asked", "task.completed", "review.verdict"]

const events = ["permission.asked", "review.verdict", "session.idle", "task.completed"] as const

/**
 * Declares a test in which a process dies between two writes while webhooks are sent, and checks what a receiver got.
 */
export function webhookCrashContract(name: string, open: MakeCrashable): void {
  test(`a crash loses no webhook notification; repeats keep their id: ${name}`, async () => {
    for (let kept = 0; ; kept++) if (await crashAndTell(open, kept)) return
  })
}

/** Crashes after `kept` writes. Returns whether everything was sent before. */
async function crashAndTell(open: MakeCrashable, kept: number): Promise<boolean> {
  const { store, crash, dispose } = await open()
  const [secrets, received]: [ReturnType<typeof memorySecrets>, Received] = [memorySecrets(), new Map()]
  try {
    const session = await putSessions(store, root())
    const first = dyingStore(store, () => {})
    const host = await start(first.store, secrets, received)
    await host.webhooks.as(localCaller).create({ name: "a", url: "https://hooks.example.org/", events: [...events] })
    first.dieAfter(kept)
    const stored = new Set<string>()
    const finished = (async () => {
      for (const [index, mutations] of story(session).entries()) {
        await host.journal.commit(session.id, mutations)
        stored.add(storyEvents[index] ?? "")
      }
      await vi.waitFor(() => expect(received.size).toBe(events.length), { timeout: 20_000 })
      await isSettled(first.store)
      return true
    })()
    finished.catch(() => {})
    const survived = await Promise.race([finished, first.dead.then(() => false)])
    if (survived) await host.close()
    const storeAfter = await crash()
    const next = await start(storeAfter, secrets, received)
    await isSettled(storeAfter)
    const told = [...received.keys()].map((body) => String(JSON.parse(body).type))
    for (const event of stored) expect(told, `after ${kept} writes`).toContain(event)
    for (const [body, ids] of received) expect([body, ids.size]).toEqual([body, 1])
    await next.close()
    return survived
  } finally {
    await dispose()
  }
}

/** Resolves when there are no new events and no pending deliveries. */
async function isSettled({ webhook }: Store): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await webhook.behind(1)).toEqual([])
      expect((await webhook.deliveries({ status: "waiting", limit: 1 })).items).toEqual([])
    },
    { timeout: 20_000, interval: 10 },
  )
}
