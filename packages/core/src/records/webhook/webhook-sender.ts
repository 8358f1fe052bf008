import { isIP } from "node:net"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { GuardedPost } from "../../ground/fetch/guarded-post.ts"
import { allowedAddresses } from "../../ground/fetch/public-address.ts"
import type { Webhook, WebhookAttempt, WebhookDelivery } from "../../ground/schema/index.ts"
import { onlyReader, type SessionStore, type WebhookStore, withheldDelivery } from "../../ground/store/index.ts"
import { type KnownWebhooks, type OtherProcesses, retryWait, webhookLimits } from "./known-webhooks.ts"
import { signWebhook } from "./sign-webhook.ts"
import type { WebhookSecrets } from "./webhook-secrets.ts"

/** Sends deliveries, separately for each webhook. */
interface WebhookSender {
  start(): void
  /** Call it when a delivery of this webhook may be due. Does nothing while it is stopped. */
  wake(webhookID: string): void
  /** Stops without storing the results of running deliveries; they are sent again after the next start. */
  stop(): Promise<void>
}

interface WebhookSenderDeps extends SendDeps {
  store: Pick<WebhookStore, "due" | "nextDue" | "changeDelivery">
  timers?: Timers
}

/** Longest sleep of a timer (ms); what is due later is checked again then. */
const longestSleep = 3_600_000
/** Wait after an error of the store (ms). */
const storeRetryMs = 5_000

export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  let stopping: AbortController | null = null
  let queues = new Map<string, WebhookQueue>()
  return {
    start() {
      stopping = new AbortController()
    },
    wake(id) {
      if (stopping === null) return
      const queue = queues.get(id) ?? createQueue(deps, id, stopping.signal)
      queues.set(id, queue)
      queue.wake()
    },
    async stop() {
      stopping?.abort()
      stopping = null
      const all = [...queues.values()]
      queues = new Map()
      await Promise.all(all.map((queue) => queue.close()))
    },
  }
}

interface WebhookQueue {
  wake(): void
  close(): Promise<void>
}

/**
 * The deliveries of one webhook: a few at a time, and those of one tree in order. It holds one batch of due
 * deliveries and reads the next when none of these can start.
 */
function createQueue(deps: WebhookSenderDeps, id: string, signal: AbortSignal): WebhookQueue {
  const { store, known, clock, timers = nodeTimers } = deps
  /** Running deliveries by id, with their lane, see `laneOf`. */
  const running = new Map<string, { lane: string; done: Promise<void> }>()
  let batch: WebhookDelivery[] = []
  /** The last read found as many due deliveries as it may, so there may be more. */
  let isFull = false
  /** Other deliveries may be due, so the next batch has to be read. */
  let isStale = false
  let reading: Promise<void> | null = null
  let cancel = () => {}
  /** The time of the next check (epoch ms). */
  let alarm: number | null = null

  const isActive = () => !signal.aborted && known.get(id)?.status === "active"
  /** Checks again at `at`, or earlier if that is already planned. */
  const lookAgain = (at: number) => {
    const isPlanned = alarm !== null && alarm <= at
    if (signal.aborted || isPlanned) return
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
  /** Starts the deliveries of the batch that can start. */
  const fill = () => {
    const busy = new Set([...running.values()].map(({ lane }) => lane))
    const rest: WebhookDelivery[] = []
    for (const delivery of batch) {
      const lane = laneOf(delivery)
      if (busy.has(lane) || running.size >= webhookLimits.atOnce) rest.push(delivery)
      else begin(delivery)
      // Later deliveries of the lane wait for this one, whether it has started or not.
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
    // The end of a delivery that was just started reads the next batch.
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
    const mayRead = isStale && reading === null && running.size < webhookLimits.atOnce
    if (!mayRead) return
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

/** Deliveries in one lane, those of a tree, are sent in order. A test delivery has no tree and waits for none. */
function laneOf({ id, rootID }: WebhookDelivery): string {
  return rootID ?? id
}

interface SendDeps {
  store: Pick<WebhookStore, "changeDelivery">
  /** Who else may send. */
  others?: OtherProcesses | undefined
  sessions: Pick<SessionStore, "get">
  known: KnownWebhooks
  secrets: Pick<WebhookSecrets, "get">
  policy(): Promise<WebhookPolicy>
  post: GuardedPost
  clock: () => number
  /** In [0, 1). */
  random: () => number
  /** Called when the webhook is disabled: it failed for too long, or its receiver answered 410. */
  onDisabled(webhook: Webhook): Promise<void>
  onError(error: unknown): void
}

/**
 * Tries a delivery once and stores the result. With an aborted signal nothing is stored, so it is sent again later.
 * Returns the time of the next attempt (epoch ms), or null.
 */
async function sendDelivery(deps: SendDeps, delivery: WebhookDelivery, signal: AbortSignal): Promise<number | null> {
  const { store, known, clock } = deps
  const webhook = known.get(delivery.webhookID)
  if (webhook?.status !== "active" || delivery.status !== "waiting") return null
  const root = delivery.rootID === null ? null : await deps.sessions.get(delivery.rootID)
  if (root !== null && onlyReader(root) !== null) {
    await store.changeDelivery(delivery.id, (present) =>
      present.status === "waiting" ? withheldDelivery(present, clock()) : null,
    )
    return null
  }
  const begun = await store.changeDelivery(delivery.id, (present) => beginning(deps, present))
  if (begun?.trying === undefined) return null
  const { at } = begun.trying
  const isOurs = ({ status, trying }: WebhookDelivery) =>
    status === "waiting" && trying?.by === runnerOf(deps) && trying.at === at
  const tried = await tryOnce(deps, webhook, { delivery: begun, signal })
  if (signal.aborted) {
    await store.changeDelivery(begun.id, (present) => (isOurs(present) ? withoutTry(present) : null))
    return null
  }
  const random = deps.random()
  const next = await store.changeDelivery(begun.id, (present) =>
    isOurs(present) ? afterAttempt(withoutTry(present), { ...tried, random }) : null,
  )
  await noteAttempt(deps, webhook.id, tried.attempt)
  return next?.nextAt ?? null
}

function runnerOf({ others }: SendDeps): string {
  return others?.runner ?? "only"
}

/** The delivery with a new attempt under way; null when it is not due, or another process tries it. */
function beginning(deps: SendDeps, delivery: WebhookDelivery): WebhookDelivery | null {
  const { others, clock } = deps
  const { status, nextAt, trying } = delivery
  const now = clock()
  if (status !== "waiting" || nextAt === null || nextAt > now) return null
  const by = runnerOf(deps)
  const isElsewhere = trying !== undefined && trying.by !== by && others?.isAlive(trying.by) === true
  if (isElsewhere && now - trying.at < webhookLimits.trying) return null
  // What this process began itself, it has ended: the rest is of a process that died meanwhile.
  const lost = trying && { at: trying.at, ms: 0, status: null, error: lostAttempt }
  return { ...(lost ? withAttempt(delivery, lost) : delivery), trying: { by, at: now } }
}

const lostAttempt = "the process that sent it ended before the answer"

function withoutTry({ trying: _, ...delivery }: WebhookDelivery): WebhookDelivery {
  return delivery
}

/** Updates the webhook itself after an attempt. */
async function noteAttempt(
  { known, onDisabled, onError }: SendDeps,
  id: string,
  attempt: WebhookAttempt,
): Promise<void> {
  const disabled: Webhook[] = []
  await known.change(id, (webhook) => {
    if (webhook.status !== "active") return webhook
    const next = isAccepted(attempt) ? afterSuccess(webhook) : afterFailure(webhook, attempt)
    if (next.status === "disabled") disabled.push(next)
    return next
  })
  for (const one of disabled) {
    onError(disabledNotice(one))
    await onDisabled(one)
  }
}

function isAccepted({ status }: WebhookAttempt): boolean {
  return status !== null && status >= 200 && status < 300
}

interface Tried {
  attempt: WebhookAttempt
  answer: string | null
}

async function tryOnce(
  deps: SendDeps,
  { id, url }: Webhook,
  { delivery, signal }: { delivery: WebhookDelivery; signal: AbortSignal },
): Promise<Tried> {
  const at = deps.clock()
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const policy = await deps.policy()
    const problem = webhookURLProblem(url, policy)
    if (problem !== null) throw new Error(problem)
    const secrets = (await deps.secrets.get(id)).filter(({ until }) => until === null || until > at)
    if (secrets.length === 0) throw new Error("its secret is lost: make a new one")
    const { body } = delivery
    const signed = signWebhook(
      { id: delivery.id, at, body },
      secrets.map(({ secret }) => secret),
    )
    const headers = { ...signed, "content-type": "application/json", "user-agent": "Docket-Webhooks/1" }
    const answer = await deps.post({ url, headers, body, isAllowed: allowedAddresses(policy.allow) }, signal)
    const isRedirect = answer.status >= 300 && answer.status < 400
    const error = isRedirect ? "redirects are not followed" : null
    return { attempt: { at, ms: took(), status: answer.status, error }, answer: answer.body }
  } catch (error) {
    return { attempt: { at, ms: took(), status: null, error: reasonOf(error) }, answer: null }
  }
}

/** The delivery after an attempt. */
function afterAttempt(
  delivery: WebhookDelivery,
  { attempt, answer, random }: Tried & { random: number },
): WebhookDelivery {
  const next = withAttempt(delivery, attempt)
  const isDone = isAccepted(attempt)
  // What a process did not live to see says nothing of the receiver.
  const tries = next.attempts.slice(next.begun).filter(({ error }) => error !== lostAttempt)
  const wait = isDone || attempt.status === gone ? null : retryWait(tries.length, random)
  const now = attempt.at + attempt.ms
  return {
    ...next,
    answer,
    status: isDone ? "delivered" : wait === null ? "failed" : "waiting",
    nextAt: wait === null ? null : now + wait,
    time: { ...delivery.time, ended: wait === null ? now : null },
  }
}

function withAttempt(delivery: WebhookDelivery, attempt: WebhookAttempt): WebhookDelivery {
  const attempts = [...delivery.attempts, attempt]
  // An index in `attempts`, so it shifts when the oldest ones are dropped.
  const begun = Math.max(0, delivery.begun - Math.max(0, attempts.length - mostAttempts))
  return { ...delivery, attempts: attempts.slice(-mostAttempts), begun }
}

/** HTTP 410: the receiver wants no more deliveries. */
const gone = 410

/** Most attempts kept of a delivery that a user sends again and again. */
const mostAttempts = 50

function afterSuccess(webhook: Webhook): Webhook {
  return webhook.failing === null ? webhook : { ...webhook, failing: null }
}

function afterFailure(webhook: Webhook, { at, status }: WebhookAttempt): Webhook {
  const failing = webhook.failing ?? { since: at }
  const why = status === gone ? "gone" : at - failing.since >= webhookLimits.failing ? "failing" : null
  if (why !== null) return { ...webhook, failing, status: "disabled", disabled: { why, at } }
  return webhook.failing === null ? { ...webhook, failing } : webhook
}

function disabledNotice({ name, url, disabled }: Webhook): Error {
  const { host } = new URL(url)
  const why = disabled?.why === "gone" ? "it answered 410" : "none of its deliveries has succeeded for days"
  return new Error(`The webhook "${name}" (${host}) is disabled: ${why}. Settings makes it active again.`)
}

/** The reason of an error as text: undici's errors have it in their cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const words = error.message === "fetch failed" && cause instanceof Error ? cause.message : error.message
  return (words || ("code" in error ? String(error.code) : error.name)).slice(0, 300)
}

/** What webhooks may reach: allowed private addresses, and whether HTTP without TLS is allowed. */
export interface WebhookPolicy {
  allow: readonly string[]
  http: boolean
}

/** Why a webhook may not have this address; null when it may. The name is resolved only when something is sent. */
function webhookURLProblem(text: string, { allow, http }: WebhookPolicy): string | null {
  // The address must look like what is called: the URL parser drops line breaks and converts other letters.
  if (/[^\x21-\x7E]/.test(text))
    return "Write the address without spaces, line breaks and letters beyond ASCII; other names begin with xn--."
  if (!URL.canParse(text)) return "That is no whole address. Write one as https://example.org/hook."
  const url = new URL(text)
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return "A webhook has an address that begins with https://."
  if (url.username !== "" || url.password !== "")
    return "An address with a password in it is refused: it would be shown."
  const mayUseHTTP = http || isThisMachine(url.hostname)
  if (url.protocol === "http:" && !mayUseHTTP) {
    return 'A webhook has an address that begins with https://, unless the service has "webhooks": { "http": true }.'
  }
  const address = url.hostname.replace(/^\[|\]$/g, "")
  if (isIP(address) !== 0 && !allowedAddresses(allow)(address)) {
    return `${url.hostname} is not on the public internet. The service's own docket.json allows it by "webhooks": { "allow": ["${address}"] }.`
  }
  return null
}

/** @throws invalid_input */
export function checkWebhookURL(text: string, policy: WebhookPolicy): void {
  const problem = webhookURLProblem(text, policy)
  if (problem !== null) throw new DocketError("invalid_input", problem)
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname)
}
