import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { createScanner, redactText } from "../../ground/redact/index.ts"
import type { ScannerSources } from "../../ground/redact/scanner.ts"
import type {
  DocketEvent,
  PermissionRequest,
  Session,
  Task,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookPayload,
} from "../../ground/schema/index.ts"
import { onlyReader, type WebhookNews, type WebhookStore } from "../../ground/store/index.ts"
import { type KnownWebhooks, type OtherProcesses, webhookLimits } from "./known-webhooks.ts"

/**
 * Makes deliveries from events. An event only says where to look and rows say what happened, so a crash in between
 * loses nothing.
 */
interface WebhookOutbox {
  /** Checks all trees that changed since the last check; later changes are checked as they happen. */
  lookAround(): void
  close(): Promise<void>
}

interface WebhookOutboxDeps {
  store: Pick<WebhookStore, "behind" | "news" | "tell">
  known: KnownWebhooks
  bus: Bus
  others?: OtherProcesses | undefined
  createID: CreateId
  clock: () => number
  timers?: Timers
  workspaceID: () => string
  /** Removes secrets from the title of a session or task. */
  redact(rootID: string, text: string): Promise<string>
  /** Called when these webhooks have new deliveries. */
  onMade(webhookIDs: ReadonlySet<string>): void
  onError(error: unknown): void
}

/** Changes within this time are checked together (ms). */
const restMs = 50
/** Wait after a failed check (ms), doubled from the first to the longest. */
const retry = { first: 1_000, longest: 60_000 } as const
/** Trees listed at a time when all are checked. */
const treesAtOnce = 50

/** Events after which something may have to be delivered. */
const telling = new Set<DocketEvent["type"]>([
  "turn.updated",
  "task.updated",
  "permission.asked",
  "review.thread.updated",
  "review.comment.updated",
  "review.verdict.updated",
  // The session may have become private.
  "session.updated",
])

export function createWebhookOutbox(deps: WebhookOutboxDeps): WebhookOutbox {
  const { store, known, bus, others, timers = nodeTimers } = deps
  const places = others?.places
  /** Whether nothing is told here. Where others may have made webhooks, what is known says too little. */
  const isIdle = () => (others === undefined ? known.all().length === 0 : others.places.length === 0)
  /** Root sessions of trees with changes that are not checked yet. */
  let changed = new Set<string>()
  /** Whether the next check has to ask the store for all trees with news, not only look at `changed`. */
  let isBehind = false
  let looking: Promise<void> | null = null
  let cancel: (() => void) | null = null
  /** Failed checks since the last complete one. */
  let failures = 0
  let isClosed = false

  /** Whether there are no webhooks, as other processes may have made or removed some. */
  const isUnheard = async () => {
    if (others !== undefined) await known.read()
    return known.all().length === 0
  }
  const lookAt = async (rootID: string): Promise<void> => {
    while (!isClosed) {
      const at = deps.clock()
      if (await isUnheard()) return
      const news = await store.news(rootID, webhookLimits.news)
      if (news === null) return
      // Once more: one that was made in between must hear of these news.
      if (others !== undefined) await known.read()
      const { deliveries, withhold } = await deliveriesOf(deps, news, at)
      const isTold = await store.tell(news, { deliveries, at, withhold })
      if (isTold && deliveries.length > 0) deps.onMade(new Set(deliveries.map(({ webhookID }) => webhookID)))
    }
  }
  /** A failing tree does not delay others; its cursor lets it be found again. */
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
    const before = { changed, isBehind }
    changed = new Set()
    isBehind = false
    // Without any, no tree need be looked at: one that is made later hears of what comes after it.
    if (await isUnheard()) return
    changed = new Set([...before.changed, ...changed])
    isBehind ||= before.isBehind
    if (isBehind) {
      isBehind = false
      let trees = await store.behind(treesAtOnce, { places })
      while (trees.length > 0 && !isClosed) {
        for (const rootID of trees) await tryAt(rootID)
        trees = await store.behind(treesAtOnce, { places, after: trees.at(-1) })
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
        else if (changed.size > 0) later(restMs)
      })
  }
  const later = (ms: number) => {
    if (!isClosed) cancel ??= timers.after(ms, run)
  }
  const note = (rootID: string) => {
    if (isClosed || isIdle()) return
    changed.add(rootID)
    later(restMs)
  }
  const unsubscribe = bus.subscribe(({ type, rootID }) => {
    if (rootID !== null && telling.has(type)) note(rootID)
  })
  const lookEverywhere = () => {
    if (isIdle()) return
    isBehind = true
    later(0)
  }
  const stopDoubts = bus.onDoubt((rootID) => (rootID === null ? lookEverywhere() : note(rootID)))
  return {
    lookAround: lookEverywhere,
    async close() {
      isClosed = true
      unsubscribe()
      stopDoubts()
      cancel?.()
      await looking
    },
  }
}

/** A private tree sends nothing, and its waiting deliveries are withheld. */
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
        id: deps.createID("webhookDelivery"),
        webhookID,
        event: fact.event,
        fact: fact.key,
        rootID: fact.rootID,
        body,
        status: "waiting",
        attempts: [],
        begun: 0,
        answer: null,
        nextAt: now,
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
    // Event and data belong to the same fact, which the compiler cannot follow.
  } as WebhookPayload
}

/** Something that happened, derived from rows. The same rows always give the same facts. */
interface WebhookFact {
  /** Derived from the row, so that the same fact has the same key. */
  key: string
  event: WebhookEvent
  /** Epoch ms. */
  at: number
  rootID: string
  data: WebhookPayload["data"]
}

/** How long before the last check a fact may have happened without being stored by then (ms). */
const lateMs = 3_600_000

/** The facts to deliver, without private trees, imported data and facts that were checked before. */
function webhookFacts(news: WebhookNews): WebhookFact[] {
  const { root, rootID } = news
  if (root === null) return []
  const from = Math.max(news.at - lateMs, root.imported?.at ?? 0)
  const session = { id: rootID, title: root.title, path: `/s/${rootID}` }
  const facts = [
    ...news.turns.flatMap((turn) => idleFact(turn, session)),
    ...news.tasks.flatMap((task) => taskFact(task, session)),
    ...news.requests.map((request) => requestFact(request, session)),
    ...reviewFacts(news, session),
  ]
  return facts
    .map((fact) => ({ ...fact, rootID }))
    .filter(({ at }) => at >= from)
    .sort((a, b) => a.at - b.at)
}

type WebhookSubject = Pick<Session, "id" | "title"> & { path: string }
type Found = Omit<WebhookFact, "rootID">

/** Only for root sessions: other sessions work for tasks, which have their own facts. */
function idleFact({ turn, isLast }: WebhookNews["turns"][number], session: WebhookSubject): Found[] {
  const { id, rootID, sessionID, status, time } = turn
  const isUnfinished = status === "queued" || status === "running"
  if (sessionID !== rootID || !isLast) return []
  if (time.ended === null || isUnfinished) return []
  return [{ key: `${id} idle`, event: "session.idle", at: time.ended, data: { session, turn: { id, status } } }]
}

function taskFact(row: Task, session: WebhookSubject): Found[] {
  const { id, number, state, agent, sessionID, time } = row
  const task = { id, number, title: row.description, agent, sessionID }
  switch (state) {
    case "queued":
    case "running":
      return []
    case "awaiting_review": {
      // A task may wait for review again after it continued.
      const since = row.waited?.since ?? time.started ?? time.created
      return [{ key: `${id} held ${since}`, event: "review.requested", at: since, data: { session, task } }]
    }
    case "completed":
      return [{ key: `${id} end`, event: "task.completed", at: time.ended ?? time.created, data: { session, task } }]
    default: {
      const data = { session, task: { ...task, state, error: row.error?.type ?? null } }
      return [{ key: `${id} end`, event: "task.failed", at: time.ended ?? time.created, data }]
    }
  }
}

function requestFact({ id, sessionID, permission, metadata, time }: PermissionRequest, session: WebhookSubject): Found {
  const [key, at] = [`${id} asked`, time.created]
  switch (metadata.kind) {
    case "question": {
      const questions = metadata.questions.length
      return { key, at, event: "question.asked", data: { session, request: { id, sessionID, questions } } }
    }
    case "plan":
      return { key, at, event: "plan.asked", data: { session, request: { id, sessionID } } }
    default:
      return { key, at, event: "permission.asked", data: { session, request: { id, sessionID, permission } } }
  }
}

function reviewFacts({ verdicts, comments, threads }: WebhookNews, session: WebhookSubject): Found[] {
  return [
    ...verdicts.map(({ id, taskID, sessionID, verdict, by, time }): Found => {
      const data = { session, verdict: { id, taskID, sessionID, verdict }, by: by.person }
      return { key: `${id} given`, event: "review.verdict", at: time.created, data }
    }),
    ...comments
      .filter(({ time }) => time.deleted === null)
      .map(({ id, threadID, sessionID, by, time }): Found => {
        const data = { session, comment: { id, threadID, sessionID }, by: by.person }
        return { key: `${id} written`, event: "review.comment", at: time.created, data }
      }),
    ...threads.flatMap(({ id, taskID, sessionID, resolved }): Found[] => {
      if (resolved === null) return []
      const data = { session, thread: { id, taskID, sessionID }, by: resolved.by.person }
      return [{ key: `${id} resolved ${resolved.at}`, event: "review.resolved", at: resolved.at, data }]
    }),
  ]
}

/** Whether a webhook subscribes to a fact. */
function hears({ status, events, since }: Webhook, { event, at }: WebhookFact): boolean {
  return status === "active" && events.includes(event) && at >= since
}

/** The title without what looks like a secret or is known to be one. */
export function redactTitle(sources: Omit<ScannerSources, "key">, title: string): string {
  return redactText(title, createScanner({ ...sources, key: "" }).find(title))
}
