import { SessionID, TaskSummary } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonResponse, queryParameter, refusals, textResponse } from "./openapi-parts.ts"
import { idInAddress } from "./v1-input.ts"

const ofSession = z.object({ id: idInAddress(SessionID, "session").openapi({ param: { description: "session id" } }) })

const missing = { 404: errorResponse("there is no such thing, or it is another tenant's") }
const invalid = { 400: errorResponse("the request is not valid; says what is wrong") }
const ReviewsQuery = z.object({
  state: queryParameter(
    { type: "string", enum: ["ended", "awaiting"] },
    "`awaiting`: those that end only once approved, oldest first; else those that have ended without a verdict of the caller",
  ),
  limit: queryParameter({ type: "integer", minimum: 1, maximum: 200, default: 50 }, "how many at most"),
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
  path: "/sessions/{id}/review-events",
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
