import type {
  PermissionRequest,
  Session,
  Task,
  Webhook,
  WebhookEvent,
  WebhookPayload,
} from "../../ground/schema/index.ts"
import type { WebhookNews } from "../../ground/store/index.ts"

/** Something that happened, as rows tell it. The same rows tell the same facts, however often they are read. */
export interface WebhookFact {
  /** Of the row that says so: the same fact has the same key. */
  key: string
  event: WebhookEvent
  /** Epoch ms. */
  at: number
  rootID: string
  data: WebhookPayload["data"]
}

/** How long before it was looked at last something may have happened that was not stored then (ms). */
const lateMs = 3_600_000

/**
 * What webhooks of the workspace are to hear of. Nothing of a private tree, of what was brought from a file, and of what
 * was looked at before.
 */
export function webhookFacts(news: WebhookNews): WebhookFact[] {
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

/** Of root sessions: the others work for tasks, of which there are facts of their own. */
function idleFact({ turn, isLast }: WebhookNews["turns"][number], session: WebhookSubject): Found[] {
  const { id, rootID, sessionID, status, time } = turn
  if (sessionID !== rootID || time.ended === null || !isLast || status === "queued" || status === "running") return []
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
      // It may be held again after it has worked on.
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

/** Whether a webhook is to hear of a fact. */
export function hears({ status, events, since }: Webhook, { event, at }: WebhookFact): boolean {
  return status === "active" && events.includes(event) && at >= since
}
