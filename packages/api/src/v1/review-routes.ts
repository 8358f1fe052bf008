import { SessionID, ShareInfo, TaskSummary } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonResponse, queryParameter, refusals, textResponse } from "./openapi-parts.ts"
import { checked } from "./v1-input.ts"

const session = "/sessions/{id}"

const ofSession = z.object({ id: checked(SessionID, "session").openapi({ param: { description: "session id" } }) })

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
