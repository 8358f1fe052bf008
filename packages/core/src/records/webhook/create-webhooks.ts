import type { DutyWork } from "../../ground/concurrency/duty.ts"
import { createRepeated } from "../../ground/concurrency/repeated.ts"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import { createGuardedPost, type GuardedPost } from "../../ground/fetch/guarded-post.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, Webhook, WebhookDelivery, WebhookPayload } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { createKnownWebhooks, type OtherProcesses, webhookLimits } from "./known-webhooks.ts"
import { newWebhookSecret } from "./sign-webhook.ts"
import { createWebhookOutbox } from "./webhook-outbox.ts"
import type { WebhookSecrets } from "./webhook-secrets.ts"
import { checkWebhookURL, createWebhookSender, type WebhookPolicy } from "./webhook-sender.ts"
import type { WebhookPatch, WebhookService, WebhookView } from "./webhook-service.ts"

export interface Webhooks {
  as(caller: Caller): WebhookService
  /** Makes deliveries of what happened in trees that no process works on at present, and was not looked at. */
  telling: DutyWork
  /** Sends deliveries, and removes old ones. Continues where an earlier process stopped. */
  sending: DutyWork
  /** Makes no more deliveries. */
  close(): Promise<void>
}

interface WebhooksDeps {
  store: Pick<Store, "webhook" | "session">
  bus: Bus
  createID: CreateId
  clock: () => number
  /** In [0, 1). */
  random: () => number
  timers?: Timers
  secrets: WebhookSecrets
  others?: OtherProcesses | undefined
  workspaceID: () => string
  /** The current policy for webhook addresses. */
  policy(): Promise<WebhookPolicy>
  /** Removes secrets from a title of the tree. */
  redact(rootID: string, text: string): Promise<string>
  post?: GuardedPost
  /** Called when a webhook was disabled because its deliveries fail. */
  onDisabled(webhook: Webhook): Promise<void>
  onError(error: unknown): void
}

/** How often old deliveries are removed (ms). */
const pruneMs = 3_600_000
/** How often it is looked for deliveries that other processes made, and for changes of which these say nothing (ms). */
const lookMs = { deliveries: 1_000, changes: 2_000 }

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { clock, others, timers = nodeTimers } = deps
  const store = deps.store.webhook
  const known = createKnownWebhooks(store)
  const sender = createWebhookSender({
    ...deps,
    store,
    sessions: deps.store.session,
    known,
    post: deps.post ?? createGuardedPost(),
  })
  const outbox = createWebhookOutbox({
    ...deps,
    store,
    known,
    onMade: (ids) => {
      for (const id of ids) sender.wake(id)
    },
  })
  let loading: Promise<void> | null = null
  /** Reads the webhooks on the first call and after a failure; each time, where other processes change them. */
  const load = () => {
    if (others !== undefined) return known.read()
    loading ??= known.read()
    loading.catch(() => {
      loading = null
    })
    return loading
  }
  const prune = async () => {
    await load()
    if (known.all().length > 0) await store.prune(clock() - webhookLimits.keep)
  }
  const wakeDue = async () => {
    await load()
    if (known.all().length === 0) return
    for (const id of await store.withDue(clock())) sender.wake(id)
  }
  const repeated = (ms: number, work: () => Promise<void>) =>
    createRepeated({ ms, timers, onError: deps.onError }, work)
  const pruning = repeated(pruneMs, prune)
  const looking = repeated(lookMs.deliveries, wakeDue)
  const sweeping = repeated(lookMs.changes, async () => outbox.lookAround())
  const telling: DutyWork = {
    async begin() {
      if (others !== undefined) return sweeping.start()
      await load()
      outbox.lookAround()
    },
    end: sweeping.stop,
  }
  const sending: DutyWork = {
    async begin() {
      sender.start()
      if (others !== undefined) looking.start()
      else {
        await load()
        for (const { id } of known.all()) sender.wake(id)
      }
      pruning.start()
    },
    async end() {
      // Reads and removals must end before the store closes.
      await Promise.all([looking.stop(), pruning.stop()])
      await sender.stop()
    },
  }
  const parts = { ...deps, store, known, sender, outbox, load }
  return {
    as: (caller) => createService(parts, caller),
    telling,
    sending,
    close: outbox.close,
  }
}

/** What the services of all callers share. */
interface WebhookParts extends Omit<WebhooksDeps, "store"> {
  store: Store["webhook"]
  known: ReturnType<typeof createKnownWebhooks>
  sender: ReturnType<typeof createWebhookSender>
  outbox: ReturnType<typeof createWebhookOutbox>
  /** Resolves when the webhooks are in memory. */
  load(): Promise<void>
}

function createService(parts: WebhookParts, caller: Caller): WebhookService {
  const { store, known, sender, secrets, clock } = parts
  const changed = async (id: string, edit: (webhook: Webhook) => Webhook): Promise<Webhook> => {
    await parts.load()
    const webhook = await known.change(id, edit)
    if (webhook === null) throw webhookMissing(id)
    return webhook
  }
  const requireActive = async (id: string): Promise<Webhook> => {
    const webhook = await changed(id, (current) => current)
    if (webhook.status === "active") return webhook
    throw new DocketError("invalid_input", `The webhook "${webhook.name}" is ${webhook.status}: make it active first.`)
  }
  const delivery = async (id: string): Promise<WebhookDelivery> => {
    const found = await store.delivery(id)
    if (found === null) throw deliveryMissing(id)
    return found
  }
  return {
    async list() {
      await parts.load()
      const counts = await store.counts()
      return Promise.all(known.all().map((webhook) => viewOf(parts, webhook, counts[webhook.id])))
    },
    async create(input) {
      await parts.load()
      checkWebhookURL(input.url, await parts.policy())
      const { webhooks } = webhookLimits
      if (known.all().length >= webhooks) {
        throw new DocketError("invalid_input", `A workspace has at most ${webhooks} webhooks. Remove one first.`)
      }
      const now = clock()
      // Events before the first webhook are not delivered.
      if (known.all().length === 0) await store.begin(now)
      const webhook: Webhook = {
        id: parts.createID("webhook"),
        ...input,
        events: [...new Set(input.events)],
        status: "active",
        disabled: null,
        failing: null,
        since: now,
        by: caller,
        time: { created: now, updated: now },
      }
      const secret = newWebhookSecret()
      await secrets.put(webhook.id, [{ secret, until: null }])
      await known.add(webhook)
      // Changes since it was created have not been checked yet.
      parts.outbox.lookAround()
      return { webhook: await viewOf(parts, webhook), secret }
    },
    async update(id, patch) {
      if (patch.url !== undefined) checkWebhookURL(patch.url, await parts.policy())
      const webhook = await changed(id, (current) => patched(current, patch, clock()))
      sender.wake(id)
      return viewOf(parts, webhook, (await store.counts())[id])
    },
    async remove(id) {
      await parts.load()
      if (!(await known.remove(id))) throw webhookMissing(id)
      await secrets.remove(id)
    },
    async rotate(id) {
      const webhook = await changed(id, (current) => ({ ...current, time: { ...current.time, updated: clock() } }))
      const secret = newWebhookSecret()
      const until = clock() + webhookLimits.overlap
      const [last] = (await secrets.get(id)).filter((kept) => kept.until === null)
      const before = last === undefined ? [] : [{ secret: last.secret, until }]
      await secrets.put(id, [{ secret, until: null }, ...before])
      return { webhook: await viewOf(parts, webhook, (await store.counts())[id]), secret }
    },
    async test(id) {
      const { name } = await requireActive(id)
      const now = clock()
      const payload: WebhookPayload = {
        type: "webhook.test",
        timestamp: new Date(now).toISOString(),
        workspace: parts.workspaceID(),
        data: { webhook: { id, name } },
      }
      const deliveryID = parts.createID("webhookDelivery")
      const made: WebhookDelivery = {
        id: deliveryID,
        webhookID: id,
        event: "webhook.test",
        fact: `${deliveryID} test`,
        rootID: null,
        body: JSON.stringify(payload),
        status: "waiting",
        attempts: [],
        begun: 0,
        answer: null,
        nextAt: now,
        time: { created: now, ended: null },
      }
      if (!(await store.add(made))) throw webhookMissing(id)
      sender.wake(id)
      return made
    },
    deliveries: ({ limit = 50, ...query }) => store.deliveries({ ...query, limit }),
    delivery,
    async redeliver(id) {
      const found = await delivery(id)
      await requireActive(found.webhookID)
      if (found.status === "withheld") {
        throw new DocketError("invalid_input", "Its session is private: nobody outside is told of it.")
      }
      const again = await store.changeDelivery(id, (present) => ({
        ...present,
        status: "waiting",
        begun: present.attempts.length,
        nextAt: clock(),
        time: { ...present.time, ended: null },
      }))
      if (again === null) throw deliveryMissing(id)
      sender.wake(found.webhookID)
      return again
    },
  }
}

function patched(webhook: Webhook, { status, name, url, events }: WebhookPatch, now: number): Webhook {
  const isBack = status === "active" && webhook.status !== "active"
  return {
    ...webhook,
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(status !== undefined && { status, disabled: null }),
    ...(isBack && { since: now, failing: null }),
    time: { ...webhook.time, updated: now },
  }
}

const none: WebhookView["counts"] = { waiting: 0, delivered: 0, failed: 0, withheld: 0 }

async function viewOf({ secrets, clock }: WebhookParts, webhook: Webhook, counts = none): Promise<WebhookView> {
  const kept = await secrets.get(webhook.id)
  const until = Math.max(0, ...kept.flatMap((one) => one.until ?? []))
  return {
    ...webhook,
    counts,
    lacksSecret: !kept.some((one) => one.until === null),
    oldSecretUntil: until > clock() ? until : null,
  }
}

function webhookMissing(id: string): DocketError {
  return new DocketError("webhook_not_found", `There is no webhook ${id}.`)
}

function deliveryMissing(id: string): DocketError {
  return new DocketError("delivery_not_found", `There is no delivery ${id}.`)
}
