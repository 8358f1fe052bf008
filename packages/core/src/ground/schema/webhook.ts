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

/** What a webhook may be told of. `webhook.test` goes to any, when a person asks for it. */
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

/** An address outside that is told of what happens in the workspace. Times are epoch ms. Its secrets lie elsewhere. */
export const Webhook = z.object({
  id: WebhookID,
  /** What it is for, in words. */
  name: z.string(),
  url: z.string(),
  events: z.array(WebhookEvent).min(1),
  /** `disabled`: Docket gave it up, see `disabled`; a person may make it active again. */
  status: z.enum(["active", "paused", "disabled"]),
  disabled: z.object({ why: z.enum(["gone", "failing"]), at: z.number() }).nullable(),
  /** Since when no delivery of it has succeeded, while any has failed. */
  failing: z.object({ since: z.number() }).nullable(),
  /** It hears of what happened from then on: since it was made, or made active again. */
  since: z.number(),
  by: Caller,
  time: z.object({ created: z.number(), updated: z.number() }),
})
export type Webhook = z.infer<typeof Webhook>

/** One try to hand a delivery over: the status that was answered, or why there was no answer. */
export const WebhookAttempt = z.object({
  at: z.number(),
  ms: z.number(),
  status: z.number().int().nullable(),
  error: z.string().nullable(),
})
export type WebhookAttempt = z.infer<typeof WebhookAttempt>

/** Something that one webhook is to be told, and how that went. Its id is the `webhook-id` of each try. */
export const WebhookDelivery = z.object({
  id: WebhookDeliveryID,
  webhookID: WebhookID,
  event: z.enum([...webhookEvents, "webhook.test"]),
  /** What it tells, by the row that says so: no webhook is told of it twice. */
  fact: z.string(),
  /** The tree that it is of; null for a test. */
  rootID: SessionID.nullable(),
  /** JSON as it is sent. */
  body: z.string(),
  /** `withheld`: its session became private before anybody was told. */
  status: z.enum(["waiting", "delivered", "failed", "withheld"]),
  attempts: z.array(WebhookAttempt),
  /** Tries before this many are of an earlier round: it was sent again by hand. */
  begun: z.number().int().nonnegative(),
  /** The beginning of the last answer. */
  answer: z.string().nullable(),
  /** When the next try is due (epoch ms); null when there is none. */
  nextAt: z.number().nullable(),
  time: z.object({ created: z.number(), ended: z.number().nullable() }),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** The session whose tree it is about. `path` is that of its page. */
const SessionRef = z.object({ id: SessionID, title: z.string(), path: z.string() })
const inSession = { session: SessionRef }
/** Who did it, as the workspace knows them. */
const by = z.string().nullable()
const TaskRef = z.object({
  id: TaskID,
  number: z.number().int(),
  title: z.string(),
  agent: z.string(),
  /** The session that works on it. */
  sessionID: SessionID,
})

function payload<Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  return z.object({
    type: z.literal(type),
    /** When it happened, in ISO 8601. */
    timestamp: z.iso.datetime(),
    workspace: z.string(),
    data: z.object(data),
  })
}

/** What is sent: ids and titles. Nothing of what was said, no command, no file, no secret. */
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

/** What is sent to a webhook, of any event. */
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
