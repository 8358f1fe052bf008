import type { Webhook } from "../../ground/schema/index.ts"
import type { WebhookStore } from "../../ground/store/index.ts"

/** The webhooks of a workspace, in memory: what happens is compared with them, and while there are none nothing is looked at. */
export interface KnownWebhooks {
  all(): Webhook[]
  get(id: string): Webhook | null
  /** Stores a new one. */
  add(webhook: Webhook): Promise<void>
  /** Changes one as it is by then. Null when it is gone. */
  change(id: string, edit: (webhook: Webhook) => Webhook): Promise<Webhook | null>
  remove(id: string): Promise<boolean>
  read(): Promise<void>
}

/** Changes are stored one after another, so that none brings back what another took away. */
export function createKnownWebhooks(store: Pick<WebhookStore, "list" | "put" | "remove">): KnownWebhooks {
  let known = new Map<string, Webhook>()
  let last: Promise<unknown> = Promise.resolve()
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const put = async (webhook: Webhook): Promise<void> => {
    await store.put(webhook)
    known.set(webhook.id, webhook)
  }
  return {
    all: () => [...known.values()],
    get: (id) => known.get(id) ?? null,
    add: (webhook) => next(() => put(webhook)),
    change: (id, edit) =>
      next(async () => {
        const webhook = known.get(id)
        if (webhook === undefined) return null
        const changed = edit(webhook)
        if (changed !== webhook) await put(changed)
        return changed
      }),
    remove: (id) =>
      next(async () => {
        const isKnown = known.has(id)
        await store.remove(id)
        known.delete(id)
        return isKnown
      }),
    read: () =>
      next(async () => {
        known = new Map((await store.list()).map((webhook) => [webhook.id, webhook]))
      }),
  }
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const day = 24 * hour

/** What webhooks may use. Times are ms. */
export const webhookLimits = {
  /** Webhooks of a workspace. */
  webhooks: 20,
  /** Deliveries to one webhook at a time: a slow receiver holds up nobody else's. */
  atOnce: 4,
  /** Deliveries in memory, of one webhook. */
  batch: 32,
  /** Rows of a kind that are looked at in one go. */
  news: 100,
  /** Deliveries go so long after they were made, unless they still wait. */
  keep: 7 * day,
  /** A webhook that has failed for so long is disabled. */
  failing: 5 * day,
  /** For how long the secret before the newest one signs. */
  overlap: day,
} as const

/** Waits between the tries of a delivery (ms): a little less than a day in all. Then it is given up. */
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
 * How long to wait after so many tries (ms); null when that was the last.
 *
 * @param random in [0, 1): up to a tenth is added, so that many do not come back at one moment
 */
export function retryWait(tries: number, random: number): number | null {
  const wait = waits[tries - 1]
  return wait === undefined ? null : Math.round(wait * (1 + random / 10))
}
