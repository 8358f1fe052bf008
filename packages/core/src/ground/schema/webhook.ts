import { z } from "zod"
import { Caller } from "./caller.ts"
import {
  PermissionID,
  ReviewCommentID,
  ReviewThreadID,
  ReviewVerdictID,
  SessionID,
  TaskID,
  TurnID,
  WebhookDeliveryID,
  WebhookID,
} from "./ids.ts"
import { VerdictKind } from "./review.ts"

/** The events that a webhook may receive. A person can send `webhook.test` to any webhook. */
export const webhookEvents = [
  "session.idle",
  "task.completed",
  "task.failed",
  "permission.asked",
  "question.asked",
  "plan.asked",
  "review.requested",
  "review.verdict",
  "review.comment",
  "review.resolved",
] as const
export const WebhookEvent = z.enum(webhookEvents)
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** An outside address that receives events of the workspace. Times are epoch ms. Its secrets are stored elsewhere. */
export const Webhook = z.object({
  id: WebhookID,
  /** The purpose of the webhook, in words. */
  name: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent).min(1),
  /** `disabled`: Docket gave up on the webhook, see `disabled`; a person can make it active again. */
  status: z.enum(["active", "paused", "disabled"]),
  /** Why (`gone`: it answered 410; `failing`: its deliveries failed for days) and when; null unless disabled. */
  disabled: z.object({ why: z.enum(["gone", "failing"]), at: z.number() }).nullable(),
  /** Since when all deliveries have failed; null while they succeed. */
  failing: z.object({ since: z.number() }).nullable(),
  /** The webhook receives events from this time on: when it was made, or made active again. */
  since: z.number(),
  by: Caller,
  time: z.object({ created: z.number(), updated: z.number() }),
})
export type Webhook = z.infer<typeof Webhook>

/** One attempt to deliver: the status of the answer, or the reason why there was none. */
export const WebhookAttempt = z.object({
  at: z.number(),
  ms: z.number(),
  status: z.number().int().nullable(),
  error: z.string().nullable(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** An event for one webhook, and the state of its delivery. Its id is the `webhook-id` of each attempt. */
export const WebhookDelivery = z.object({
  id: WebhookDeliveryID,
  webhookID: WebhookID,
  event: z.enum([...webhookEvents, "webhook.test"]),
  /** The key of the reported fact, made from its row, so that no webhook receives the same fact twice. */
  fact: z.string(),
  /** The tree of the event; null for a test. */
  rootID: SessionID.nullable(),
  /** The JSON text that is sent. */
  body: z.string(),
  /** `withheld`: its session became private before anybody was told. */
  status: z.enum(["waiting", "delivered", "failed", "withheld"]),
  attempts: z.array(WebhookAttempt),
  /** The attempt that is under way since then (epoch ms), and the process that makes it. */
  trying: z.object({ by: z.string(), at: z.number() }).optional(),
  /** How many of the attempts were made before a person sent the delivery again. */
  begun: z.number().int().nonnegative(),
  /** The beginning of the last answer. */
  answer: z.string().nullable(),
  /** When the next attempt is due (epoch ms); null when there is none. */
  nextAt: z.number().nullable(),
  time: z.object({ created: z.number(), ended: z.number().nullable() }),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** The session whose tree it is about. `path` is that of its page. */
const SessionRef = z.object({ id: SessionID, title: z.string(), path: z.string() })
const inSession = { session: SessionRef }
/** The name of the person who acted, as the workspace knows it. */
const by = z.string().nullable()
const TaskRef = z.object({
  id: TaskID,
  number: z.number().int(),
  title: z.string(),
  agent: z.string(),
  /** The session that works on the task. */
  sessionID: SessionID,
})

function payload<Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  return z.object({
    type: z.literal(type),
    /** The time of the event, in ISO 8601. */
    timestamp: z.iso.datetime(),
    workspace: z.string(),
    data: z.object(data),
  })
}

/** The payloads: ids and titles only, and no text of a conversation, command, file or secret. */
export const webhookPayloads = {
  "session.idle": payload("session.idle", {
    ...inSession,
    turn: z.object({ id: TurnID, status: z.enum(["completed", "failed", "aborted", "interrupted"]) }),
  }),
  "task.completed": payload("task.completed", { ...inSession, task: TaskRef }),
  "task.failed": payload("task.failed", {
    ...inSession,
    task: TaskRef.extend({
      state: z.enum(["failed", "cancelled", "timed_out", "interrupted"]),
      error: z.string().nullable(),
    }),
  }),
  "permission.asked": payload("permission.asked", {
    ...inSession,
    request: z.object({ id: PermissionID, sessionID: SessionID, permission: z.string() }),
  }),
  "question.asked": payload("question.asked", {
    ...inSession,
    request: z.object({ id: PermissionID, sessionID: SessionID, questions: z.number().int() }),
  }),
  "plan.asked": payload("plan.asked", {
    ...inSession,
    request: z.object({ id: PermissionID, sessionID: SessionID }),
  }),
  "review.requested": payload("review.requested", { ...inSession, task: TaskRef }),
  "review.verdict": payload("review.verdict", {
    ...inSession,
    verdict: z.object({ id: ReviewVerdictID, taskID: TaskID, sessionID: SessionID, verdict: VerdictKind }),
    by,
  }),
  "review.comment": payload("review.comment", {
    ...inSession,
    comment: z.object({ id: ReviewCommentID, threadID: ReviewThreadID, sessionID: SessionID }),
    by,
  }),
  "review.resolved": payload("review.resolved", {
    ...inSession,
    thread: z.object({ id: ReviewThreadID, taskID: TaskID.nullable(), sessionID: SessionID }),
    by,
  }),
  "webhook.test": payload("webhook.test", { webhook: z.object({ id: WebhookID, name: z.string() }) }),
} as const

/** The body that is sent to a webhook, for any event. */
export const WebhookPayload = z.discriminatedUnion("type", [
  webhookPayloads["session.idle"],
  webhookPayloads["task.completed"],
  webhookPayloads["task.failed"],
  webhookPayloads["permission.asked"],
  webhookPayloads["question.asked"],
  webhookPayloads["plan.asked"],
  webhookPayloads["review.requested"],
  webhookPayloads["review.verdict"],
  webhookPayloads["review.comment"],
  webhookPayloads["review.resolved"],
  webhookPayloads["webhook.test"],
])
export type WebhookPayload = z.infer<typeof WebhookPayload>
