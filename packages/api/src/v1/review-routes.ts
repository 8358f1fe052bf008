import { TaskSummary } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { errorResponse, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { wireSchema } from "./wire-schema.ts"

const ReviewsQuery = z.object({
  state: queryParameter(
    { type: "string", enum: ["ended", "awaiting"] },
    "`awaiting`: those that end only once approved, oldest first; else those that have ended without a verdict of the caller",
  ),
  limit: queryParameter({ type: "integer", minimum: 1, maximum: 200, default: 50 }, "how many at most"),
  cursor: queryParameter({ type: "string" }, "`next_cursor` of the page before"),
})

/** `cursor` is the older name of `next_cursor`. */
export const ListedReviews = z.object({
  items: z.array(z.object({ task: TaskSummary, title: z.string() })),
  cursor: z.string().nullable(),
  nextCursor: z.string().nullable(),
})

export const listReviews = guardedRoute("read", {
  method: "get",
  path: "/reviews",
  operationId: "listReviews",
  summary: "Tasks to review, with the title of their tree.",
  request: { query: ReviewsQuery },
  responses: {
    200: jsonResponse("a page", wireSchema(ListedReviews, "answer")),
    400: errorResponse("the request is not valid; says what is wrong"),
    ...refusals,
  },
})
