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
