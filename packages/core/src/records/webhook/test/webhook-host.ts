import { putSessions, root, turn } from "../../../contract/rows.ts"
import { createBus } from "../../../ground/event/bus.ts"
import { createJournal } from "../../../ground/event/journal.ts"
import type { GuardedPost, PostInput } from "../../../ground/fetch/guarded-post.ts"
import { createIdSource } from "../../../ground/id/create-id.ts"
import type { Session } from "../../../ground/schema/index.ts"
import { createInMemoryStore, type Mutation, type Store } from "../../../ground/store/index.ts"
import { localCaller } from "../../../test/as-local.ts"
import { createManualTime } from "../../../test/manual-time.ts"
import { createWebhooks } from "../create-webhooks.ts"
import { memorySecrets } from "./memory-secrets.ts"

interface HostOptions {
  store?: Store
  /** The answer of the receiver. */
  post?: GuardedPost
}

/** Webhooks with a store in memory, a manual clock and a receiver that records what it gets. */
export async function webhookHost({ store = createInMemoryStore(), post }: HostOptions = {}) {
  const time = createManualTime()
  const errors: unknown[] = []
  const disabled: string[] = []
  const posted: PostInput[] = []
  const bus = createBus((error) => errors.push(error))
  const journal = createJournal({ store, bus })
  const webhooks = createWebhooks({
    store,
    bus,
    clock: time.clock,
    timers: time.timers,
    secrets: memorySecrets(),
    createID: createIdSource(),
    random: () => 0,
    workspaceID: () => "local",
    policy: async () => ({ allow: [], http: false }),
    redact: async (_, title) => title.replace("swordfish", "[hidden]"),
    async post(input, signal) {
      posted.push(input)
      return post ? await post(input, signal) : { status: 200, body: "thanks" }
    },
    onDisabled: async ({ id }) => void disabled.push(id),
    onError: (error) => errors.push(error),
  })
  const works = [webhooks.telling, webhooks.sending]
  for (const { begin } of works) await begin()
  const service = webhooks.as(localCaller)
  const write = (session: Session, ...mutations: Mutation[]) => journal.commit(session.rootID, mutations)
  return {
    store,
    time,
    errors,
    disabled,
    posted,
    service,
    async close() {
      await webhooks.close()
      for (const { end } of works) await end()
    },
    write,
    newSession: (fields: Partial<Session> = {}) => putSessions(store, root(fields)),
    /** Ends a turn of the session. */
    async endTurn(session: Session) {
      const at = time.clock()
      const value = turn(session, { status: "completed", time: { created: at, started: at, ended: at } })
      await write(session, { kind: "turn", value })
      return value
    },
    /** Lets this much time pass, and waits until the results are stored. */
    async pass(ms: number) {
      for (let round = 0; round < 20; round++) await time.pass(0)
      await time.pass(ms)
      for (let round = 0; round < 20; round++) await time.pass(0)
    },
    bodies: () => posted.map(({ body }) => JSON.parse(body)),
  }
}
