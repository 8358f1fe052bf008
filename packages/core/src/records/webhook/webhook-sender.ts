import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { WebhookDelivery } from "../../ground/schema/index.ts"
import type { WebhookStore } from "../../ground/store/index.ts"
import { type SendDeps, sendDelivery } from "./send-delivery.ts"
import { webhookLimits } from "./webhook-limits.ts"

/** Hands deliveries over, each webhook for itself. */
export interface WebhookSender {
  /** Something of this webhook may be due. */
  wake(webhookID: string): void
  /** Deliveries that are under way end untold, and go again with the next start. */
  close(): Promise<void>
}

export interface WebhookSenderDeps extends SendDeps {
  store: Pick<WebhookStore, "due" | "nextDue" | "update">
  timers?: Timers
}

/** Longest sleep of a timer (ms): what is due later is looked at again. */
const longestSleep = 3_600_000
/** After a failure of the store (ms). */
const storeRetryMs = 5_000

export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const closing = new AbortController()
  const queues = new Map<string, WebhookQueue>()
  const queueOf = (id: string): WebhookQueue => {
    const known = queues.get(id) ?? createQueue(deps, id, closing.signal)
    queues.set(id, known)
    return known
  }
  return {
    wake(id) {
      if (!closing.signal.aborted) queueOf(id).wake()
    },
    async close() {
      closing.abort()
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}

interface WebhookQueue {
  wake(): void
  close(): Promise<void>
}

/**
 * The deliveries of one webhook: a few at a time, those of one session one after another in their order. It holds one
 * batch of what is due, and reads the next when nothing of that can begin.
 */
function createQueue(deps: WebhookSenderDeps, id: string, signal: AbortSignal): WebhookQueue {
  const { store, known, clock, timers = nodeTimers } = deps
  /** Under way, by id, with the session that they are of. */
  const running = new Map<string, { lane: string; done: Promise<void> }>()
  let batch: WebhookDelivery[] = []
  let isFull = false
  /** There may be more than is in the batch. */
  let isStale = false
  let reading: Promise<void> | null = null
  let cancel = () => {}
  /** When it is to look again (epoch ms). */
  let alarm: number | null = null

  const isActive = () => !signal.aborted && known.get(id)?.status === "active"
  /** Looks again at `at`, or when it was to look before that. */
  const lookAgain = (at: number) => {
    if (signal.aborted || (alarm !== null && alarm <= at)) return
    cancel()
    alarm = at
    cancel = timers.after(Math.min(Math.max(0, at - clock()), longestSleep), () => {
      alarm = null
      wake()
    })
  }
  const failed = (error: unknown) => {
    deps.onError(error)
    batch = []
    lookAgain(clock() + storeRetryMs)
  }
  const begin = (delivery: WebhookDelivery) => {
    const done = sendDelivery(deps, delivery, signal)
      .then((nextAt) => {
        isStale ||= isFull
        if (nextAt !== null) lookAgain(nextAt)
        return true
      })
      .catch((error: unknown) => {
        failed(error)
        return false
      })
      .then((isSent) => {
        running.delete(delivery.id)
        if (isSent) pump()
      })
    running.set(delivery.id, { lane: laneOf(delivery), done })
  }
  /** Begins what of the batch can begin. */
  const fill = () => {
    const busy = new Set([...running.values()].map(({ lane }) => lane))
    const rest: WebhookDelivery[] = []
    for (const delivery of batch) {
      const lane = laneOf(delivery)
      if (busy.has(lane) || running.size >= webhookLimits.atOnce) rest.push(delivery)
      else begin(delivery)
      // What comes after it in its session waits for it, begun or not.
      busy.add(lane)
    }
    batch = rest
  }
  const read = async (): Promise<void> => {
    const now = clock()
    isStale = false
    const due = await store.due({ webhookID: id, now, limit: webhookLimits.batch })
    isFull = due.length === webhookLimits.batch
    batch = due.filter((delivery) => !running.has(delivery.id))
    const before = running.size
    fill()
    if (isFull && running.size > before) return
    const next = await store.nextDue(id, now)
    if (next !== null) lookAgain(next)
  }
  const pump = () => {
    if (!isActive()) {
      batch = []
      return
    }
    fill()
    if (!isStale || reading !== null || running.size >= webhookLimits.atOnce) return
    reading = read()
      .catch(failed)
      .then(() => {
        reading = null
        if (isStale) pump()
      })
  }
  const wake = () => {
    isStale = true
    pump()
  }
  return {
    wake,
    async close() {
      cancel()
      await Promise.all([reading, ...[...running.values()].map(({ done }) => done)])
    },
  }
}

/** A test is of no session: it waits for nothing. */
function laneOf({ id, rootID }: WebhookDelivery): string {
  return rootID ?? id
}
