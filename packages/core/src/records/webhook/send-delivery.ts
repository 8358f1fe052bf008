import { allowedAddresses } from "../../ground/fetch/allowed-addresses.ts"
import type { GuardedPost } from "../../ground/fetch/guarded-post.ts"
import type { Webhook, WebhookAttempt, WebhookDelivery } from "../../ground/schema/index.ts"
import { onlyReader, type SessionStore, type WebhookStore, withheldDelivery } from "../../ground/store/index.ts"
import { type WebhookPolicy, webhookURLProblem } from "./check-webhook-url.ts"
import type { KnownWebhooks } from "./known-webhooks.ts"
import { signWebhook } from "./sign-webhook.ts"
import { retryWait, webhookLimits } from "./webhook-limits.ts"
import type { WebhookSecrets } from "./webhook-secrets.ts"

export interface SendDeps {
  store: Pick<WebhookStore, "update">
  sessions: Pick<SessionStore, "get">
  known: KnownWebhooks
  secrets: Pick<WebhookSecrets, "get">
  policy(): Promise<WebhookPolicy>
  post: GuardedPost
  clock: () => number
  /** In [0, 1). */
  random: () => number
  /** It failed for too long, or its receiver wants no more: it is told nothing from now on. */
  onDisabled(webhook: Webhook): Promise<void>
  onError(error: unknown): void
}

/**
 * Tries once to hand a delivery over, and stores how that went. With an aborted signal nothing is stored: it goes again.
 * Answers with when it is due again (epoch ms), null when it is not.
 */
export async function sendDelivery(
  deps: SendDeps,
  delivery: WebhookDelivery,
  signal: AbortSignal,
): Promise<number | null> {
  const { store, known, clock } = deps
  const webhook = known.get(delivery.webhookID)
  if (webhook?.status !== "active" || delivery.status !== "waiting") return null
  const root = delivery.rootID === null ? null : await deps.sessions.get(delivery.rootID)
  if (root !== null && onlyReader(root) !== null) {
    await store.update(withheldDelivery(delivery, clock()))
    return null
  }
  const tried = await tryOnce(deps, webhook, { delivery, signal })
  if (signal.aborted) return null
  const ended = endOf(delivery, { ...tried, random: deps.random() })
  await store.update(ended)
  await noteEnd(deps, webhook.id, tried.attempt)
  return ended.nextAt
}

/** What the end of a try says of the webhook itself. */
async function noteEnd({ known, onDisabled, onError }: SendDeps, id: string, attempt: WebhookAttempt): Promise<void> {
  const disabled: Webhook[] = []
  await known.change(id, (webhook) => {
    if (webhook.status !== "active") return webhook
    const next = isTaken(attempt) ? recovered(webhook) : failed(webhook, attempt)
    if (next.status === "disabled") disabled.push(next)
    return next
  })
  for (const one of disabled) {
    onError(disabledNotice(one))
    await onDisabled(one)
  }
}

function isTaken({ status }: WebhookAttempt): boolean {
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

/** The delivery after a try. */
function endOf(delivery: WebhookDelivery, { attempt, answer, random }: Tried & { random: number }): WebhookDelivery {
  const attempts = [...delivery.attempts, attempt]
  const isDone = isTaken(attempt)
  const wait = isDone || attempt.status === gone ? null : retryWait(attempts.length - delivery.begun, random)
  const now = attempt.at + attempt.ms
  return {
    ...delivery,
    attempts: attempts.slice(-mostAttempts),
    begun: Math.max(0, delivery.begun - Math.max(0, attempts.length - mostAttempts)),
    answer,
    status: isDone ? "delivered" : wait === null ? "failed" : "waiting",
    nextAt: wait === null ? null : now + wait,
    time: { ...delivery.time, ended: wait === null ? now : null },
  }
}

/** The receiver wants no more. */
const gone = 410

/** Kept of a delivery that is sent again and again by hand. */
const mostAttempts = 50

function recovered(webhook: Webhook): Webhook {
  return webhook.failing === null ? webhook : { ...webhook, failing: null }
}

function failed(webhook: Webhook, { at, status }: WebhookAttempt): Webhook {
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

/** What went wrong, in words: undici's errors name the reason in their cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const words = error.message === "fetch failed" && cause instanceof Error ? cause.message : error.message
  return (words || ("code" in error ? String(error.code) : error.name)).slice(0, 300)
}
