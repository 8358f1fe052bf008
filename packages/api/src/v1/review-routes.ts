import {
  PartID,
  ReviewComment,
  ReviewPlace,
  ReviewThread,
  ReviewThreadID,
  ReviewVerdict,
  SessionID,
  ShareInfo,
  TaskID,
  TaskSummary,
  VerdictKind,
} from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { notRecorded, records } from "../audit/audit-rule.ts"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonBody, jsonResponse, queryParameter, refusals, textResponse } from "./openapi-parts.ts"
import { checked, readJsonBody } from "./v1-input.ts"

const session = "/sessions/{id}"
const task = "/tasks/{id}"

const idOf = (schema: z.ZodType<string>, what: string) =>
  z.object({ id: checked(schema, what).openapi({ param: { description: `${what} id` } }) })

const ofSession = idOf(SessionID, "session")
const ofTask = idOf(TaskID, "task")
const ofThread = idOf(ReviewThreadID, "thread")

const missing = { 404: errorResponse("there is no such thing, or it is another tenant's") }
const invalid = { 400: errorResponse("the request is not valid; says what is wrong") }
const limit = (most: number, otherwise: number) =>
  queryParameter({ type: "integer", minimum: 1, maximum: most, default: otherwise }, "how many at most")

/** Rows that are described by their types: see `@docket/core/schema`. */
const row = z.object({ id: z.string() })

const SharesQuery = z.object({ session: queryParameter({ type: "string" }, "a session id: the links of its tree") })

export const listShares = guardedRoute("read", {
  method: "get",
  path: "/shares",
  operationId: "listShares",
  summary: "Links, newest first, revoked ones included; never their secrets.",
  request: { query: SharesQuery },
  responses: { 200: jsonResponse("the links", z.object({ shares: z.array(ShareInfo) })), ...missing, ...refusals },
})

export const getTree = guardedRoute("read", {
  method: "get",
  path: `${session}/tree`,
  operationId: "getTree",
  summary: "The tree around a session without its messages: sessions, tasks, todo lists by session, open requests.",
  request: { params: ofSession },
  responses: {
    200: jsonResponse(
      "the tree; events after `seq` are not in it",
      z.object({
        seq: z.number().int(),
        sessions: z.array(row),
        tasks: z.array(row),
        todos: z.record(z.string(), z.array(row)),
        permissions: z.array(row),
      }),
    ),
    ...missing,
    ...refusals,
  },
})

const MessagesQuery = z.object({
  before: queryParameter({ type: "string" }, "a message id: those before it"),
  after: queryParameter({ type: "string" }, "a message id: those after it"),
  around: queryParameter({ type: "string" }, "a message or part id: those around it"),
  limit: limit(200, 50),
})

export const listMessages = guardedRoute("read", {
  method: "get",
  path: `${session}/messages`,
  operationId: "listMessages",
  summary: "A window of a transcript with its parts, oldest first; the newest without an anchor.",
  request: { params: ofSession, query: MessagesQuery },
  responses: {
    200: jsonResponse(
      "`before` and `after` name the edge where there is more",
      z.object({
        items: z.array(z.object({ info: row, parts: z.array(row) })),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
    ...invalid,
    ...missing,
    ...refusals,
  },
})

const ReviewsQuery = z.object({
  state: queryParameter(
    { type: "string", enum: ["ended", "awaiting"] },
    "`awaiting`: those that end only once approved, oldest first; else those that have ended without a verdict of the caller",
  ),
  limit: limit(200, 50),
  cursor: queryParameter({ type: "string" }, "of the page before"),
})

export const listReviews = guardedRoute("read", {
  method: "get",
  path: "/reviews",
  operationId: "listReviews",
  summary: "Tasks to review, with the title of their tree.",
  request: { query: ReviewsQuery },
  responses: {
    200: jsonResponse(
      "a page",
      z.object({ items: z.array(z.object({ task: TaskSummary, title: z.string() })), cursor: z.string().nullable() }),
    ),
    ...invalid,
    ...refusals,
  },
})

const ThreadView = z.object({
  thread: ReviewThread,
  comments: z.array(ReviewComment),
  anchor: z.object({ state: z.string() }),
})

export const listThreads = guardedRoute("read", {
  method: "get",
  path: `${session}/threads`,
  operationId: "listThreads",
  summary: "Threads of the tree with their comments, oldest first.",
  request: { params: ofSession },
  responses: { 200: jsonResponse("the threads", z.object({ threads: z.array(ThreadView) })), ...missing, ...refusals },
})

const Text = z.string().min(1).max(20_000)

export const createThread = guardedRoute(
  "comment",
  {
    method: "post",
    path: `${session}/threads`,
    operationId: "createThread",
    summary:
      "Comments on a place of a session. A request that is sent again under its `Idempotency-Key` comments once.",
    middleware: readJsonBody,
    request: { params: ofSession, body: jsonBody(z.object({ place: ReviewPlace, text: Text })) },
    responses: { 201: jsonResponse("the thread", ThreadView), ...invalid, ...missing, ...refusals },
  },
  notRecorded("a comment stands where it was said, with its author"),
)

export const createComment = guardedRoute(
  "comment",
  {
    method: "post",
    path: "/threads/{id}/comments",
    operationId: "createComment",
    summary: "Answers in a thread.",
    middleware: readJsonBody,
    request: { params: ofThread, body: jsonBody(z.object({ text: Text })) },
    responses: { 201: jsonResponse("the comment", ReviewComment), ...invalid, ...missing, ...refusals },
  },
  notRecorded("a comment stands where it was said, with its author"),
)

const Sending = z.object({ to: z.enum(["child", "parent"]), comments: z.array(z.string()).min(1).max(500) })

export const sendComments = guardedRoute(
  "prompt",
  {
    method: "post",
    path: `${session}/send`,
    operationId: "sendComments",
    summary: "Sends comments of the session to its agent, or to the one that delegated to it, as one message.",
    middleware: readJsonBody,
    request: { params: ofSession, body: jsonBody(Sending) },
    responses: {
      200: jsonResponse("the comments, sent", z.object({ comments: z.array(ReviewComment) })),
      ...invalid,
      ...missing,
      409: errorResponse("one of them was sent already"),
      ...refusals,
    },
  },
  records("prompted", { targets: ["id"] }),
)

export const listVerdicts = guardedRoute("read", {
  method: "get",
  path: `${task}/verdicts`,
  operationId: "listVerdicts",
  summary: "Every verdict on the task, oldest first, those that stand no more included.",
  request: { params: ofTask },
  responses: {
    200: jsonResponse("the verdicts", z.object({ verdicts: z.array(ReviewVerdict) })),
    ...missing,
    ...refusals,
  },
})

const Verdict = z.object({
  verdict: VerdictKind,
  reason: z.string().max(20_000).default(""),
  seen: PartID.optional().describe("the last part that was looked at; what came after it is not judged"),
})

export const giveVerdict = guardedRoute(
  "judge",
  {
    method: "post",
    path: `${task}/verdicts`,
    operationId: "giveVerdict",
    summary: "Judges the task, in place of the caller's verdict before.",
    middleware: readJsonBody,
    request: { params: ofTask, body: jsonBody(Verdict) },
    responses: { 201: jsonResponse("the verdict", ReviewVerdict), ...invalid, ...missing, ...refusals },
  },
  records("judged", { targets: ["id"] }),
)

export const withdrawVerdict = guardedRoute(
  "judge",
  {
    method: "delete",
    path: `${task}/verdicts`,
    operationId: "withdrawVerdict",
    summary: "Takes the caller's own back.",
    request: { params: ofTask },
    responses: { 200: jsonResponse("the verdict", ReviewVerdict), ...missing, ...refusals },
  },
  records("judged", { targets: ["id"] }),
)

export const reviewEvents = guardedRoute("read", {
  method: "get",
  path: `${session}/review-events`,
  operationId: "reviewEvents",
  summary: "Server-sent events of the tree: threads, comments, verdicts, looks and tasks.",
  request: {
    params: ofSession,
    query: z.object({ since: queryParameter({ type: "integer", minimum: 0 }, "a `seq`: what came after it") }),
  },
  responses: {
    200: {
      ...textResponse("one event each; `id` resumes after it, by `Last-Event-ID`"),
      content: { "text/event-stream": { schema: z.string() } },
    },
    ...missing,
    ...refusals,
  },
})
