import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { DocketEvent, WebhookDelivery, WebhookPayload } from "../../ground/schema/index.ts"
import { onlyReader, type WebhookNews, type WebhookStore } from "../../ground/store/index.ts"
import type { KnownWebhooks } from "./known-webhooks.ts"
import { hears, type WebhookFact, webhookFacts } from "./webhook-facts.ts"
import { webhookLimits } from "./webhook-limits.ts"

/** Makes deliveries of what happens. Rows say what happened, events only where to look: a crash between the two loses nothing. */
export interface WebhookOutbox {
  /** Looks at all trees that changed since they were looked at last; those that change from now on are looked at by themselves. */
  lookAround(): void
  close(): Promise<void>
}

export interface WebhookOutboxDeps {
  store: Pick<WebhookStore, "behind" | "news" | "tell">
  known: KnownWebhooks
  bus: Bus
  createID: CreateId
  clock: () => number
  timers?: Timers
  workspaceID: () => string
  /** Takes secrets out of the title of a session or task. */
  redact(rootID: string, text: string): Promise<string>
  /** These webhooks have something to be told. */
  onMade(webhookIDs: ReadonlySet<string>): void
  onError(error: unknown): void
}

/** Changes that come together are looked at together (ms). */
const restMs = 50
/** Between looks that fail (ms): doubled from the first to the longest. */
const retry = { first: 1_000, longest: 60_000 } as const
/** Trees that are named at a time when all are looked at. */
const treesAtOnce = 50

/** What says that something may have happened that is told. */
const telling = new Set<DocketEvent["type"]>([
  "turn.updated",
  "task.updated",
  "permission.asked",
  "review.thread.updated",
  "review.comment.updated",
  "review.verdict.updated",
  // It may have become private.
  "session.updated",
])

export function createWebhookOutbox(deps: WebhookOutboxDeps): WebhookOutbox {
  const { store, known, bus, timers = nodeTimers } = deps
  let changed = new Set<string>()
  let isBehind = false
  let looking: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let failures = 0
  let isClosed = false

  const lookAt = async (rootID: string): Promise<void> => {
    while (!isClosed) {
      const at = deps.clock()
      const news = await store.news(rootID, webhookLimits.news)
      if (news === null) return
      const { deliveries, withhold } = await deliveriesOf(deps, news, at)
      const isTold = await store.tell(news, { deliveries, at, withhold })
      if (isTold && deliveries.length > 0) deps.onMade(new Set(deliveries.map(({ webhookID }) => webhookID)))
    }
  }
  /** A tree that cannot be looked at holds up no other: it is found again by its cursor. */
  const tryAt = async (rootID: string): Promise<void> => {
    try {
      await lookAt(rootID)
    } catch (error) {
      if (failures === 0) deps.onError(error)
      failures += 1
      isBehind = true
    }
  }
  const lookAround = async (): Promise<void> => {
    if (isBehind) {
      isBehind = false
      let trees = await store.behind(treesAtOnce)
      while (trees.length > 0 && !isClosed) {
        for (const rootID of trees) await tryAt(rootID)
        trees = await store.behind(treesAtOnce, trees.at(-1))
      }
    }
    while (changed.size > 0 && !isClosed) {
      const trees = changed
      changed = new Set()
      for (const rootID of trees) await tryAt(rootID)
    }
  }
  const run = () => {
    cancel = null
    if (isClosed || looking !== null) return
    const before = failures
    looking = lookAround()
      .catch((error: unknown) => {
        if (failures === 0) deps.onError(error)
        failures += 1
        isBehind = true
      })
      .then(() => {
        if (failures === before) failures = 0
        looking = null
        if (isBehind) later(Math.min(retry.first * 2 ** failures, retry.longest))
        else if (changed.size > 0) later(0)
      })
  }
  const later = (ms: number) => {
    if (!isClosed) cancel ??= timers.after(ms, run)
  }
  const note = (rootID: string) => {
    if (isClosed || known.all().length === 0) return
    changed.add(rootID)
    later(restMs)
  }
  const unsubscribe = bus.subscribe(({ type, rootID }) => {
    if (rootID !== null && telling.has(type)) note(rootID)
  })
  const certain = bus.onDoubt(note)
  return {
    lookAround() {
      if (known.all().length === 0) return
      isBehind = true
      later(0)
    },
    async close() {
      isClosed = true
      unsubscribe()
      certain()
      cancel?.()
      await looking
    },
  }
}

/** A private tree tells nobody anything, and what it was about to tell is withheld. */
async function deliveriesOf(
  deps: WebhookOutboxDeps,
  news: WebhookNews,
  now: number,
): Promise<{ deliveries: WebhookDelivery[]; withhold: boolean }> {
  if (news.root !== null && onlyReader(news.root) !== null) return { deliveries: [], withhold: true }
  const deliveries: WebhookDelivery[] = []
  for (const fact of webhookFacts(news)) {
    const listeners = deps.known.all().filter((webhook) => hears(webhook, fact))
    if (listeners.length === 0) continue
    const body = JSON.stringify(await payloadOf(deps, fact))
    for (const { id: webhookID } of listeners) {
      deliveries.push({
        ...{ id: deps.createID("webhookDelivery"), webhookID, event: fact.event, fact: fact.key, rootID: fact.rootID },
        ...{ body, status: "waiting", attempts: [], begun: 0, answer: null, nextAt: now },
        time: { created: now, ended: null },
      })
    }
  }
  return { deliveries, withhold: false }
}

async function payloadOf(deps: WebhookOutboxDeps, { event, at, rootID, data }: WebhookFact): Promise<WebhookPayload> {
  const redacted = async <T extends { title: string }>(of: T): Promise<T> => ({
    ...of,
    title: await deps.redact(rootID, of.title),
  })
  return {
    type: event,
    timestamp: new Date(at).toISOString(),
    workspace: deps.workspaceID(),
    data: {
      ...data,
      ...("session" in data && { session: await redacted(data.session) }),
      ...("task" in data && { task: await redacted(data.task) }),
    },
    // Event and data come as a pair of one fact; the compiler does not follow that.
  } as WebhookPayload
}
