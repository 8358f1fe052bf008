import type { Webhook } from "../../ground/schema/index.ts"
import type { WebhookStore } from "../../ground/store/index.ts"

/**
 * The webhooks of a workspace, in memory. Events are compared with them, and without any webhook nothing is checked.
 */
export interface KnownWebhooks {
  all(): Webhook[]
  get(id: string): Webhook | null
  /** Stores a new webhook. */
  add(webhook: Webhook): Promise<void>
  /** Changes the present version of a webhook, whoever stored that. Null when it is gone. */
  change(id: string, edit: (webhook: Webhook) => Webhook): Promise<Webhook | null>
  remove(id: string): Promise<boolean>
  /** Loads all webhooks from the store. */
  read(): Promise<void>
}

/** Changes are stored one after another, so that what is known is what was stored last. */
export function createKnownWebhooks(store: Pick<WebhookStore, "list" | "put" | "change" | "remove">): KnownWebhooks {
  let known = new Map<string, Webhook>()
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  return {
    all: () => [...known.values()],
    get: (id) => known.get(id) ?? null,
    add: (webhook) =>
      inOrder(async () => {
        await store.put(webhook)
        known.set(webhook.id, webhook)
      }),
    change: (id, edit) =>
      inOrder(async () => {
        let present: Webhook | null = null
        await store.change(id, (webhook) => {
          present = edit(webhook)
          return present === webhook ? null : present
        })
        if (present === null) known.delete(id)
        else known.set(id, present)
        return present
      }),
    remove: (id) =>
      inOrder(async () => {
        const isKnown = known.has(id)
        await store.remove(id)
        known.delete(id)
        return isKnown
      }),
    read: () =>
      inOrder(async () => {
        known = new Map((await store.list()).map((webhook) => [webhook.id, webhook]))
      }),
  }
}

/** Set when other processes work on the store. */
export interface OtherProcesses {
  /** The name of this process. */
  runner: string
  isAlive(runner: string): boolean
  /** The places whose files this process has: it makes the deliveries of trees there. */
  places: readonly string[]
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const day = 24 * hour

/** Limits of webhooks. Times are ms. */
export const webhookLimits = {
  /** Most webhooks of a workspace. */
  webhooks: 20,
  /** Parallel deliveries to one webhook; a slow receiver does not delay others. */
  atOnce: 4,
  /** Deliveries of one webhook held in memory. */
  batch: 32,
  /** Rows of a kind that are read at once. */
  news: 100,
  /** Deliveries are deleted after this time, unless they still wait. */
  keep: 7 * day,
  /** A webhook that has failed for this long is disabled. */
  failing: 5 * day,
  /** Without a result for so long, the process that makes an attempt is taken for dead. */
  trying: 10 * minute,
  /** How long the previous secret still signs. */
  overlap: day,
} as const

/** Waits between the attempts of a delivery (ms), a little less than a day in total; then it is given up. */
const waits = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  7 * hour,
  8 * hour,
]

/**
 * How long to wait after this many attempts (ms); null after the last one.
 * @param random in [0, 1): adds up to a tenth, so that many deliveries are not repeated at the same moment
 */
export function retryWait(tries: number, random: number): number | null {
  const wait = waits[tries - 1]
  return wait === undefined ? null : Math.round(wait * (1 + random / 10))
}
